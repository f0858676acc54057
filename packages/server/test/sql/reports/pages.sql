-- GET /stats/pages?period=30d

-- reads by_page
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- limit = 50
-- offset = 0
-- setting preferred_optimize_projection_name = "by_page"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
SELECT path,
	content_group AS content_grouping,
	sum(page_view) AS page_views,
	sum(entrance) AS entrances,
	count() OVER () AS total_rows
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
GROUP BY path, content_grouping
HAVING page_views != 0 OR entrances != 0
ORDER BY page_views DESC, path ASC, content_grouping ASC
LIMIT {limit:UInt64} OFFSET {offset:UInt64};
