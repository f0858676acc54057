-- GET /stats/sources/top?period=30d&landing_page=/p1

-- reads events
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- f3 = ["/p1"]
-- limit = 10
-- setting optimize_use_projections = 0
SELECT utm_source,
	sum(entrance) AS entrances,
	sum(page_view) AS page_views,
	sum(engaged) AS engaged_entrances,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND landing_path IN {f3:Array(String)}
GROUP BY utm_source
HAVING entrances != 0 OR page_views != 0 OR engaged_entrances != 0 OR conversions != 0 OR revenue != 0
ORDER BY entrances DESC, utm_source ASC
LIMIT {limit:UInt64};
