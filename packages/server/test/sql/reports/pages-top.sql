-- GET /stats/pages/top?period=30d&country=ES

-- reads events
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- f3 = ["ES"]
-- limit = 10
-- setting optimize_use_projections = 0
SELECT path,
	sum(page_view) AS page_views,
	sum(entrance) AS entrances,
	sum(engaged) AS engaged_entrances
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND country IN {f3:Array(String)}
GROUP BY path
HAVING page_views != 0 OR entrances != 0 OR engaged_entrances != 0
ORDER BY page_views DESC, path ASC
LIMIT {limit:UInt64};
