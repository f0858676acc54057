-- GET /stats/geo/countries?period=30d&compare=previous&include_totals=true

-- reads by_audience
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- limit = 50
-- offset = 0
-- setting preferred_optimize_projection_name = "by_audience"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
SELECT country,
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
GROUP BY country
HAVING entrances != 0 OR page_views != 0 OR engaged_entrances != 0 OR conversions != 0 OR revenue != 0
ORDER BY entrances DESC, country ASC
LIMIT {limit:UInt64} OFFSET {offset:UInt64};

-- reads by_hour
-- site = "shop"
-- start = "2026-09-23"
-- end = "2026-10-22"
-- setting preferred_optimize_projection_name = "by_hour"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
SELECT sum(entrance) AS entrances,
	sum(page_view) AS page_views,
	sum(engaged) AS engaged_entrances,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date};

-- reads by_audience
-- g0 = ["ES"]
-- site = "shop"
-- start = "2026-09-23"
-- end = "2026-10-22"
-- setting preferred_optimize_projection_name = "by_audience"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
SELECT country,
	sum(entrance) AS entrances,
	sum(page_view) AS page_views,
	sum(engaged) AS engaged_entrances,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND country IN {g0:Array(String)}
GROUP BY country
HAVING entrances != 0 OR page_views != 0 OR engaged_entrances != 0 OR conversions != 0 OR revenue != 0
ORDER BY country;
