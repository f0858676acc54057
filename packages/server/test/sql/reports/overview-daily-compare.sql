-- GET /stats/overview?period=7d&compare=previous&country=ES&country=FR

-- reads by_audience
-- site = "shop"
-- start = "2026-11-15"
-- end = "2026-11-21"
-- f3 = ["ES","FR"]
-- setting preferred_optimize_projection_name = "by_audience"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
SELECT date,
	sum(entrance) AS entrances,
	sum(engaged) AS engaged_entrances,
	sum(page_view) AS page_views,
	sum(microconversion) AS microconversions,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND country IN {f3:Array(String)}
GROUP BY date
HAVING entrances != 0 OR engaged_entrances != 0 OR page_views != 0 OR microconversions != 0 OR conversions != 0 OR revenue != 0
ORDER BY date;

-- reads by_audience
-- site = "shop"
-- start = "2026-11-08"
-- end = "2026-11-14"
-- f3 = ["ES","FR"]
-- setting preferred_optimize_projection_name = "by_audience"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
SELECT date,
	sum(entrance) AS entrances,
	sum(engaged) AS engaged_entrances,
	sum(page_view) AS page_views,
	sum(microconversion) AS microconversions,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND country IN {f3:Array(String)}
GROUP BY date
HAVING entrances != 0 OR engaged_entrances != 0 OR page_views != 0 OR microconversions != 0 OR conversions != 0 OR revenue != 0
ORDER BY date;
