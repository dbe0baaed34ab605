"""What is stored about people and servers: settings, names, notes, notifications. The rules of
seats and clocks are in the packages above."""
