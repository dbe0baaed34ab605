"""What every cog uses: custom ids, answers, errors in words, pictures, actions being built."""
