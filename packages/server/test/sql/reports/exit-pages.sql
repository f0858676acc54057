-- GET /stats/exit-pages?period=30d

-- reads events
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- next = "2026-11-22"
-- limit = 50
-- offset = 0
-- setting optimize_use_projections = 0
SELECT path,
	sumIf(parts.exits, NOT is_earlier) AS exits,
	sumIf(parts.exits, is_earlier) AS earlier_exits,
	sumIf(parts.page_views, NOT is_earlier) AS page_views,
	sumIf(parts.page_views, is_earlier) AS earlier_page_views,
	exits != 0 OR page_views != 0 AS is_counted,
	countIf(is_counted) OVER () AS total_rows,
	sum(exits) OVER () AS total_exits,
	sum(earlier_exits) OVER () AS total_earlier_exits,
	sum(page_views) OVER () AS total_page_views,
	sum(earlier_page_views) OVER () AS total_earlier_page_views
FROM (
SELECT 0 AS is_earlier,
	last_path AS path,
	count() AS exits,
	toUInt64(0) AS page_views
FROM (
SELECT argMax(path, toUInt64(toUnixTimestamp64Milli(ts)) * 4194304 + bitAnd(cityHash64(path), 4194303)) AS last_path
FROM events
WHERE site = {site:String}
	AND kind = 'pageview'
	AND session != 0
	AND date BETWEEN {start:Date} AND {next:Date}
GROUP BY session
HAVING max(date) <= {end:Date}
)
GROUP BY path
UNION ALL
SELECT 0 AS is_earlier,
	path,
	toUInt64(0) AS exits,
	sum(page_view) AS page_views
FROM events
WHERE site = {site:String}
	AND kind = 'pageview'
	AND session != 0
	AND date BETWEEN {start:Date} AND {end:Date}
GROUP BY path
) AS parts
GROUP BY path
ORDER BY is_counted DESC, exits DESC, path
LIMIT {limit:UInt64} OFFSET {offset:UInt64};
