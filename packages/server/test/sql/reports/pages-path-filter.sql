-- GET /stats/pages?period=30d&path_filter=50%_off&content_grouping=blog&compare=previous

-- reads by_page
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- earlier_start = "2026-09-23"
-- earlier_end = "2026-10-22"
-- f5 = ["blog"]
-- f6 = "%50\\%\\_off%"
-- limit = 50
-- offset = 0
-- setting preferred_optimize_projection_name = "by_page"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
SELECT path,
	content_grouping,
	sumIf(parts.page_views, is_current) AS page_views,
	sumIf(parts.page_views, is_earlier) AS earlier_page_views,
	sumIf(parts.entrances, is_current) AS entrances,
	sumIf(parts.entrances, is_earlier) AS earlier_entrances,
	page_views != 0 OR entrances != 0 AS is_counted,
	countIf(is_counted) OVER () AS total_rows
FROM (
SELECT date >= {start:Date} AS is_current,
	date <= {earlier_end:Date} AS is_earlier,
	path,
	content_group AS content_grouping,
	sum(page_view) AS page_views,
	sum(entrance) AS entrances
FROM events
WHERE site = {site:String}
	AND date BETWEEN {earlier_start:Date} AND {end:Date}
	AND content_group IN {f5:Array(String)}
	AND path LIKE {f6:String}
GROUP BY is_current, is_earlier, path, content_grouping
) AS parts
GROUP BY path, content_grouping
ORDER BY is_counted DESC, page_views DESC, path ASC, content_grouping ASC
LIMIT {limit:UInt64} OFFSET {offset:UInt64};

-- reads by_page
-- site = "shop"
-- start = "2026-09-23"
-- end = "2026-10-22"
-- f3 = ["blog"]
-- f4 = "%50\\%\\_off%"
-- setting preferred_optimize_projection_name = "by_page"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
SELECT sum(entrance) AS entrances,
	sum(engaged) AS engaged_entrances,
	sum(page_view) AS page_views,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND content_group IN {f3:Array(String)}
	AND path LIKE {f4:String};

-- reads events
-- site = "shop"
-- setting optimize_use_projections = 0
SELECT toString(date) AS day
FROM events
WHERE site = {site:String}
ORDER BY site, date, hour, ts
LIMIT 1;
