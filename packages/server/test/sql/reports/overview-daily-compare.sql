-- GET /stats/overview?period=7d&compare=previous&country=ES&country=FR

-- reads by_audience
-- site = "shop"
-- start = "2026-11-15"
-- end = "2026-11-21"
-- earlier_start = "2026-11-08"
-- earlier_end = "2026-11-14"
-- f5 = ["ES","FR"]
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
	AND date BETWEEN {earlier_start:Date} AND {end:Date}
	AND country IN {f5:Array(String)}
GROUP BY date
HAVING entrances != 0 OR engaged_entrances != 0 OR page_views != 0 OR microconversions != 0 OR conversions != 0 OR revenue != 0
ORDER BY date;
