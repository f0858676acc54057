-- GET /stats/sources?period=12m&search=goo&include_totals=true&compare=yoy&sort_by=revenue&sort_order=asc&page=2

-- reads by_source
-- site = "shop"
-- start = "2025-11-22"
-- end = "2026-11-21"
-- f3 = "goo"
-- limit = 50
-- offset = 50
-- setting preferred_optimize_projection_name = "by_source"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
SELECT utm_source,
	sum(entrance) AS entrances,
	sum(page_view) AS page_views,
	sum(engaged) AS engaged_entrances,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue,
	count() OVER () AS total_rows,
	sum(entrances) OVER () AS total_entrances,
	sum(page_views) OVER () AS total_page_views,
	sum(engaged_entrances) OVER () AS total_engaged_entrances,
	sum(conversions) OVER () AS total_conversions,
	sum(revenue) OVER () AS total_revenue
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND positionCaseInsensitiveUTF8(utm_source, {f3:String}) > 0
GROUP BY utm_source
HAVING entrances != 0 OR page_views != 0 OR engaged_entrances != 0 OR conversions != 0 OR revenue != 0
ORDER BY revenue ASC, utm_source ASC
LIMIT {limit:UInt64} OFFSET {offset:UInt64};

-- reads by_source
-- site = "shop"
-- start = "2024-11-22"
-- end = "2025-11-21"
-- f3 = "goo"
-- setting preferred_optimize_projection_name = "by_source"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
SELECT sum(entrance) AS entrances,
	sum(page_view) AS page_views,
	sum(engaged) AS engaged_entrances,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND positionCaseInsensitiveUTF8(utm_source, {f3:String}) > 0;

-- reads by_source
-- site = "shop"
-- start = "2025-11-22"
-- end = "2026-11-21"
-- f3 = "goo"
-- limit = 1
-- offset = 0
-- setting preferred_optimize_projection_name = "by_source"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
SELECT utm_source,
	sum(entrance) AS entrances,
	sum(page_view) AS page_views,
	sum(engaged) AS engaged_entrances,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue,
	count() OVER () AS total_rows,
	sum(entrances) OVER () AS total_entrances,
	sum(page_views) OVER () AS total_page_views,
	sum(engaged_entrances) OVER () AS total_engaged_entrances,
	sum(conversions) OVER () AS total_conversions,
	sum(revenue) OVER () AS total_revenue
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND positionCaseInsensitiveUTF8(utm_source, {f3:String}) > 0
GROUP BY utm_source
HAVING entrances != 0 OR page_views != 0 OR engaged_entrances != 0 OR conversions != 0 OR revenue != 0
ORDER BY revenue ASC, utm_source ASC
LIMIT {limit:UInt64} OFFSET {offset:UInt64};
