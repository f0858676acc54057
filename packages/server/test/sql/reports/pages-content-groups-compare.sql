-- GET /stats/pages/content-groups?period=30d&compare=yoy

-- reads by_page
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- f3 = ""
-- setting preferred_optimize_projection_name = "by_page"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
SELECT content_grouping,
	count() AS unique_values,
	sum(parts.page_views) AS page_views,
	sum(parts.entrances) AS entrances
FROM (
SELECT content_group AS content_grouping,
	path,
	sum(page_view) AS page_views,
	sum(entrance) AS entrances
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND content_group != {f3:String}
GROUP BY content_grouping, path
HAVING page_views != 0 OR entrances != 0
) AS parts
GROUP BY content_grouping
HAVING page_views != 0 OR entrances != 0
ORDER BY page_views DESC, content_grouping ASC;

-- reads by_page
-- site = "shop"
-- start = "2025-10-23"
-- end = "2025-11-21"
-- f3 = ""
-- setting preferred_optimize_projection_name = "by_page"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
SELECT content_group AS content_grouping,
	sum(page_view) AS page_views,
	sum(entrance) AS entrances
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND content_group != {f3:String}
GROUP BY content_grouping
HAVING page_views != 0 OR entrances != 0
ORDER BY content_grouping;

-- reads events
-- site = "shop"
-- setting optimize_use_projections = 0
SELECT toString(date) AS day
FROM events
WHERE site = {site:String}
ORDER BY site, date, hour, ts
LIMIT 1;
