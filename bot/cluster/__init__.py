"""Several processes (members) that share one database and divide Discord's shards."""
