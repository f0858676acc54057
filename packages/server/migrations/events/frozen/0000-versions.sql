-- One server

CREATE TABLE IF NOT EXISTS event_migrations (
	version UInt32,
	name String,
	applied_at DateTime DEFAULT now()
)
ENGINE = MergeTree
ORDER BY (version)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 100000, default_compression_codec = 'ZSTD(1)';

-- Cluster

CREATE TABLE IF NOT EXISTS event_migrations_local ON CLUSTER `main` (
	version UInt32,
	name String,
	applied_at DateTime DEFAULT now()
)
ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/event_migrations_local', '{replica}')
ORDER BY (version)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, replicated_deduplication_window = 100000, replicated_deduplication_window_seconds = 604800, default_compression_codec = 'ZSTD(1)';

CREATE TABLE IF NOT EXISTS event_migrations ON CLUSTER `main` AS event_migrations_local ENGINE = Distributed(`main`, currentDatabase(), event_migrations_local, version);
