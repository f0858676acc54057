-- GET /stats/exit-pages?period=this_week&compare=previous&compare_align=elapsed&country=ES&search=cart&sort_by=exit_rate&page=2

-- reads events
-- site = "shop"
-- f1 = ["ES"]
-- start = "2026-11-16"
-- end = "2026-11-22"
-- next = "2026-11-23"
-- earlier_start = "2026-11-09"
-- earlier_end = "2026-11-15"
-- earlier_next = "2026-11-16"
-- until_day = "2026-11-14"
-- until_hour = 12
-- f10 = "cart"
-- limit = 50
-- offset = 50
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
	AND country IN {f1:Array(String)}
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
	AND country IN {f1:Array(String)}
	AND date BETWEEN {start:Date} AND {end:Date}
GROUP BY path
UNION ALL
SELECT 1 AS is_earlier,
	last_path AS path,
	count() AS exits,
	toUInt64(0) AS page_views
FROM (
SELECT argMax(path, toUInt64(toUnixTimestamp64Milli(ts)) * 4194304 + bitAnd(cityHash64(path), 4194303)) AS last_path
FROM events
WHERE site = {site:String}
	AND kind = 'pageview'
	AND session != 0
	AND country IN {f1:Array(String)}
	AND date BETWEEN {earlier_start:Date} AND {earlier_next:Date}
	AND (date < {until_day:Date} OR date = {until_day:Date} AND hour < {until_hour:UInt8})
GROUP BY session
HAVING max(date) <= {earlier_end:Date}
)
GROUP BY path
UNION ALL
SELECT 1 AS is_earlier,
	path,
	toUInt64(0) AS exits,
	sum(page_view) AS page_views
FROM events
WHERE site = {site:String}
	AND kind = 'pageview'
	AND session != 0
	AND country IN {f1:Array(String)}
	AND date BETWEEN {earlier_start:Date} AND {earlier_end:Date}
	AND (date < {until_day:Date} OR date = {until_day:Date} AND hour < {until_hour:UInt8})
GROUP BY path
) AS parts
WHERE positionCaseInsensitiveUTF8(decodeURLComponent(path), {f10:String}) > 0
GROUP BY path
ORDER BY is_counted DESC, if(page_views = 0, 0, exits / page_views) DESC, path
LIMIT {limit:UInt64} OFFSET {offset:UInt64};

-- reads events
-- site = "shop"
-- setting optimize_use_projections = 0
SELECT toString(date) AS day
FROM events
WHERE site = {site:String}
ORDER BY site, date, hour, ts
LIMIT 1;

-- reads events
-- site = "shop"
-- f1 = ["ES"]
-- start = "2026-11-16"
-- end = "2026-11-22"
-- next = "2026-11-23"
-- earlier_start = "2026-11-09"
-- earlier_end = "2026-11-15"
-- earlier_next = "2026-11-16"
-- until_day = "2026-11-14"
-- until_hour = 12
-- f10 = "cart"
-- limit = 1
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
	AND country IN {f1:Array(String)}
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
	AND country IN {f1:Array(String)}
	AND date BETWEEN {start:Date} AND {end:Date}
GROUP BY path
UNION ALL
SELECT 1 AS is_earlier,
	last_path AS path,
	count() AS exits,
	toUInt64(0) AS page_views
FROM (
SELECT argMax(path, toUInt64(toUnixTimestamp64Milli(ts)) * 4194304 + bitAnd(cityHash64(path), 4194303)) AS last_path
FROM events
WHERE site = {site:String}
	AND kind = 'pageview'
	AND session != 0
	AND country IN {f1:Array(String)}
	AND date BETWEEN {earlier_start:Date} AND {earlier_next:Date}
	AND (date < {until_day:Date} OR date = {until_day:Date} AND hour < {until_hour:UInt8})
GROUP BY session
HAVING max(date) <= {earlier_end:Date}
)
GROUP BY path
UNION ALL
SELECT 1 AS is_earlier,
	path,
	toUInt64(0) AS exits,
	sum(page_view) AS page_views
FROM events
WHERE site = {site:String}
	AND kind = 'pageview'
	AND session != 0
	AND country IN {f1:Array(String)}
	AND date BETWEEN {earlier_start:Date} AND {earlier_end:Date}
	AND (date < {until_day:Date} OR date = {until_day:Date} AND hour < {until_hour:UInt8})
GROUP BY path
) AS parts
WHERE positionCaseInsensitiveUTF8(decodeURLComponent(path), {f10:String}) > 0
GROUP BY path
ORDER BY is_counted DESC, if(page_views = 0, 0, exits / page_views) DESC, path
LIMIT {limit:UInt64} OFFSET {offset:UInt64};
