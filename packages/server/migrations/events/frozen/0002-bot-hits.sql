-- One server

CREATE TABLE IF NOT EXISTS bot_hits (
	site LowCardinality(String),
	date Date,
	counted UInt8,
	score UInt8,
	flags UInt16,
	session UInt64,
	ts DateTime64(3, 'UTC'),
	first_ts DateTime64(3, 'UTC') DEFAULT ts,
	hits UInt32 DEFAULT 1,
	user_agent String TTL toDateTime(ts) + INTERVAL 7 DAY,
	country LowCardinality(String)
)
ENGINE = MergeTree
PARTITION BY date
ORDER BY (site, date, counted, score, flags, session)
TTL toDateTime(ts) + INTERVAL 1 DAY GROUP BY site, date, counted, score, flags, session SET ts = max(ts), first_ts = min(first_ts), hits = sum(hits), user_agent = max(user_agent), country = any(country),
	date + INTERVAL 9 DAY DELETE WHERE counted = 1,
	date + INTERVAL 9 DAY GROUP BY site, date, counted, score, flags SET session = min(session), ts = max(ts), first_ts = min(first_ts), hits = sum(hits),
	date + INTERVAL 91 DAY
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 100000, default_compression_codec = 'ZSTD(1)';

-- Cluster

CREATE TABLE IF NOT EXISTS bot_hits_local ON CLUSTER `main` (
	site LowCardinality(String),
	date Date,
	counted UInt8,
	score UInt8,
	flags UInt16,
	session UInt64,
	ts DateTime64(3, 'UTC'),
	first_ts DateTime64(3, 'UTC') DEFAULT ts,
	hits UInt32 DEFAULT 1,
	user_agent String TTL toDateTime(ts) + INTERVAL 7 DAY,
	country LowCardinality(String)
)
ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/bot_hits_local', '{replica}')
PARTITION BY date
ORDER BY (site, date, counted, score, flags, session)
TTL toDateTime(ts) + INTERVAL 1 DAY GROUP BY site, date, counted, score, flags, session SET ts = max(ts), first_ts = min(first_ts), hits = sum(hits), user_agent = max(user_agent), country = any(country),
	date + INTERVAL 9 DAY DELETE WHERE counted = 1,
	date + INTERVAL 9 DAY GROUP BY site, date, counted, score, flags SET session = min(session), ts = max(ts), first_ts = min(first_ts), hits = sum(hits),
	date + INTERVAL 91 DAY
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, replicated_deduplication_window = 100000, replicated_deduplication_window_seconds = 604800, default_compression_codec = 'ZSTD(1)';

CREATE TABLE IF NOT EXISTS bot_hits ON CLUSTER `main` AS bot_hits_local ENGINE = Distributed(`main`, currentDatabase(), bot_hits_local, sipHash64(site, session));
