-- GET /stats/pages?period=30d&path_filter=50%_off&content_grouping=blog&compare=previous

-- reads by_page
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- f3 = ["blog"]
-- f4 = "%50\\%\\_off%"
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
	AND content_group IN {f3:Array(String)}
	AND path LIKE {f4:String}
GROUP BY path, content_grouping
HAVING page_views != 0 OR entrances != 0
ORDER BY page_views DESC, path ASC, content_grouping ASC
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
