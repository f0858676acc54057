-- One server

CREATE TABLE IF NOT EXISTS events (
	site LowCardinality(String),
	date Date,
	hour UInt8,
	ts DateTime64(3, 'UTC') CODEC(Delta(8), T64, ZSTD(1)),
	session UInt64,
	kind Enum8('pageview' = 1, 'engaged' = 2, 'conversion' = 3, 'microconversion' = 4, 'item' = 5),
	path String CODEC(LZ4HC(5)),
	content_group LowCardinality(String),
	referrer LowCardinality(String),
	landing_path LowCardinality(String),
	landing_group LowCardinality(String),
	utm_source LowCardinality(String),
	utm_medium LowCardinality(String),
	utm_campaign LowCardinality(String),
	utm_term LowCardinality(String),
	utm_content LowCardinality(String),
	country LowCardinality(String),
	device LowCardinality(String),
	browser LowCardinality(String),
	os LowCardinality(String),
	channel LowCardinality(String),
	clid String,
	event_type LowCardinality(String),
	properties Map(LowCardinality(String), String),
	amount Decimal(18, 4),
	bot_score UInt8,
	bot_flags UInt16,
	import_id LowCardinality(String),
	entrance UInt32 CODEC(T64, ZSTD(1)),
	rejoined UInt32 CODEC(T64, ZSTD(1)),
	engaged UInt32 CODEC(T64, ZSTD(1)),
	page_view UInt32 CODEC(T64, ZSTD(1)),
	conversion UInt32 CODEC(T64, ZSTD(1)),
	microconversion UInt32 CODEC(T64, ZSTD(1)),
	revenue Decimal(18, 4),
	visit_seconds UInt32 CODEC(T64, ZSTD(1)),
	visitor UInt32 CODEC(T64, ZSTD(1)),
	campaign LowCardinality(String) MATERIALIZED concatWithSeparator('\0', utm_source, utm_medium, utm_campaign, utm_term, utm_content) CODEC(LZ4HC(5)),
	PROJECTION by_day (SELECT site, date, import_id, sum(entrance), sum(engaged), sum(page_view), sum(conversion), sum(microconversion), sum(revenue), sum(visit_seconds), uniqCombinedIf(20)(bitShiftRight(session, 17) + bitShiftLeft(toUInt64(date), 47), (entrance > 0) AND (session > 0)), sum(visitor) GROUP BY site, date, import_id),
	PROJECTION by_hour (SELECT site, date, import_id, hour, sum(entrance), sum(engaged), sum(page_view), sum(conversion), sum(microconversion), sum(revenue), sum(visit_seconds) GROUP BY site, date, import_id, hour),
	PROJECTION by_source (SELECT site, date, import_id, channel, referrer, utm_source, utm_medium, utm_campaign, sum(entrance), sum(engaged), sum(page_view), sum(conversion), sum(microconversion), sum(revenue), sum(visit_seconds) GROUP BY site, date, import_id, channel, referrer, utm_source, utm_medium, utm_campaign),
	PROJECTION by_audience (SELECT site, date, import_id, country, device, browser, os, sum(entrance), sum(engaged), sum(page_view), sum(conversion), sum(microconversion), sum(revenue), sum(visit_seconds) GROUP BY site, date, import_id, country, device, browser, os),
	PROJECTION by_page (SELECT site, date, import_id, path, content_group, sum(entrance), sum(engaged), sum(page_view), sum(conversion), sum(microconversion), sum(revenue) GROUP BY site, date, import_id, path, content_group),
	PROJECTION by_landing (SELECT site, date, import_id, landing_path, landing_group, sum(entrance), sum(engaged), sum(page_view), sum(conversion), sum(microconversion), sum(revenue), sum(visit_seconds) GROUP BY site, date, import_id, landing_path, landing_group),
	PROJECTION by_event (SELECT site, date, import_id, event_type, utm_source, utm_medium, utm_campaign, utm_term, utm_content, sum(entrance), sum(engaged), sum(page_view), sum(conversion), sum(microconversion), sum(revenue) GROUP BY site, date, import_id, event_type, utm_source, utm_medium, utm_campaign, utm_term, utm_content)
)
ENGINE = MergeTree
PARTITION BY (toYYYYMM(date), import_id)
ORDER BY (site, date, hour, ts)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 100000, default_compression_codec = 'ZSTD(1)';

-- Cluster

CREATE TABLE IF NOT EXISTS events_local ON CLUSTER `main` (
	site LowCardinality(String),
	date Date,
	hour UInt8,
	ts DateTime64(3, 'UTC') CODEC(Delta(8), T64, ZSTD(1)),
	session UInt64,
	kind Enum8('pageview' = 1, 'engaged' = 2, 'conversion' = 3, 'microconversion' = 4, 'item' = 5),
	path String CODEC(LZ4HC(5)),
	content_group LowCardinality(String),
	referrer LowCardinality(String),
	landing_path LowCardinality(String),
	landing_group LowCardinality(String),
	utm_source LowCardinality(String),
	utm_medium LowCardinality(String),
	utm_campaign LowCardinality(String),
	utm_term LowCardinality(String),
	utm_content LowCardinality(String),
	country LowCardinality(String),
	device LowCardinality(String),
	browser LowCardinality(String),
	os LowCardinality(String),
	channel LowCardinality(String),
	clid String,
	event_type LowCardinality(String),
	properties Map(LowCardinality(String), String),
	amount Decimal(18, 4),
	bot_score UInt8,
	bot_flags UInt16,
	import_id LowCardinality(String),
	entrance UInt32 CODEC(T64, ZSTD(1)),
	rejoined UInt32 CODEC(T64, ZSTD(1)),
	engaged UInt32 CODEC(T64, ZSTD(1)),
	page_view UInt32 CODEC(T64, ZSTD(1)),
	conversion UInt32 CODEC(T64, ZSTD(1)),
	microconversion UInt32 CODEC(T64, ZSTD(1)),
	revenue Decimal(18, 4),
	visit_seconds UInt32 CODEC(T64, ZSTD(1)),
	visitor UInt32 CODEC(T64, ZSTD(1)),
	campaign LowCardinality(String) MATERIALIZED concatWithSeparator('\0', utm_source, utm_medium, utm_campaign, utm_term, utm_content) CODEC(LZ4HC(5)),
	PROJECTION by_day (SELECT site, date, import_id, sum(entrance), sum(engaged), sum(page_view), sum(conversion), sum(microconversion), sum(revenue), sum(visit_seconds), uniqCombinedIf(20)(bitShiftRight(session, 17) + bitShiftLeft(toUInt64(date), 47), (entrance > 0) AND (session > 0)), sum(visitor) GROUP BY site, date, import_id),
	PROJECTION by_hour (SELECT site, date, import_id, hour, sum(entrance), sum(engaged), sum(page_view), sum(conversion), sum(microconversion), sum(revenue), sum(visit_seconds) GROUP BY site, date, import_id, hour),
	PROJECTION by_source (SELECT site, date, import_id, channel, referrer, utm_source, utm_medium, utm_campaign, sum(entrance), sum(engaged), sum(page_view), sum(conversion), sum(microconversion), sum(revenue), sum(visit_seconds) GROUP BY site, date, import_id, channel, referrer, utm_source, utm_medium, utm_campaign),
	PROJECTION by_audience (SELECT site, date, import_id, country, device, browser, os, sum(entrance), sum(engaged), sum(page_view), sum(conversion), sum(microconversion), sum(revenue), sum(visit_seconds) GROUP BY site, date, import_id, country, device, browser, os),
	PROJECTION by_page (SELECT site, date, import_id, path, content_group, sum(entrance), sum(engaged), sum(page_view), sum(conversion), sum(microconversion), sum(revenue) GROUP BY site, date, import_id, path, content_group),
	PROJECTION by_landing (SELECT site, date, import_id, landing_path, landing_group, sum(entrance), sum(engaged), sum(page_view), sum(conversion), sum(microconversion), sum(revenue), sum(visit_seconds) GROUP BY site, date, import_id, landing_path, landing_group),
	PROJECTION by_event (SELECT site, date, import_id, event_type, utm_source, utm_medium, utm_campaign, utm_term, utm_content, sum(entrance), sum(engaged), sum(page_view), sum(conversion), sum(microconversion), sum(revenue) GROUP BY site, date, import_id, event_type, utm_source, utm_medium, utm_campaign, utm_term, utm_content)
)
ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/events_local', '{replica}')
PARTITION BY (toYYYYMM(date), import_id)
ORDER BY (site, date, hour, ts)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, replicated_deduplication_window = 100000, replicated_deduplication_window_seconds = 604800, default_compression_codec = 'ZSTD(1)';

CREATE TABLE IF NOT EXISTS events ON CLUSTER `main` AS events_local ENGINE = Distributed(`main`, currentDatabase(), events_local, sipHash64(site, session));
