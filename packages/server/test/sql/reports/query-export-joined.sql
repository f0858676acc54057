-- POST /stats/query/export {"date_from":"2026-10-22","date_to":"2026-11-20","dimensions":["utm_source"],"metrics":["entrances"],"compare":"yoy","compare_rows":"joined"}

-- reads by_source
-- site = "shop"
-- start = "2026-10-22"
-- end = "2026-11-20"
-- earlier_start = "2025-10-22"
-- earlier_end = "2025-11-20"
-- limit = 100
-- offset = 0
-- setting preferred_optimize_projection_name = "by_source"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
-- setting max_execution_time = 300
SELECT utm_source,
	sumIf(parts.entrances, is_current) AS entrances,
	sumIf(parts.entrances, is_earlier) AS earlier_entrances,
	entrances != 0 AS is_counted,
	countIf(is_counted) OVER () AS total_rows
FROM (
SELECT date >= {start:Date} AS is_current,
	date <= {earlier_end:Date} AS is_earlier,
	utm_source,
	sum(entrance) AS entrances
FROM events
WHERE site = {site:String}
	AND date BETWEEN {earlier_start:Date} AND {end:Date}
	AND (date <= {earlier_end:Date} OR date >= {start:Date})
GROUP BY is_current, is_earlier, utm_source
) AS parts
GROUP BY utm_source
ORDER BY is_counted DESC, entrances DESC, utm_source ASC
LIMIT {limit:UInt64} OFFSET {offset:UInt64};
