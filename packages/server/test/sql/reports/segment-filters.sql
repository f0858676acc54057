-- GET /stats/browsers?period=30d&segment=saved&segment_filters={"conditions":[{"field":"os","operator":"neq","value":"iOS"}],"not_groups":[{"conditions":[]}]}

-- reads events
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- f3 = "iOS"
-- f4 = ["FR"]
-- f5 = "/p"
-- f6 = "iOS"
-- f7 = "draft"
-- limit = 50
-- offset = 0
-- setting optimize_use_projections = 0
SELECT browser,
	sum(entrance) AS entrances,
	sum(engaged) AS engaged_entrances,
	sum(page_view) AS page_views,
	sum(microconversion) AS microconversions,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue,
	count() OVER () AS total_rows,
	sum(entrances) OVER () AS total_entrances
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND lowerUTF8(os) != lowerUTF8({f3:String})
	AND country IN {f4:Array(String)}
	AND startsWith(landing_path, {f5:String})
	AND ((lowerUTF8(os) = lowerUTF8({f6:String})) OR 1)
	AND NOT ((landing_group = {f7:String}))
GROUP BY browser
HAVING entrances != 0 OR engaged_entrances != 0 OR page_views != 0 OR microconversions != 0 OR conversions != 0 OR revenue != 0
ORDER BY entrances DESC, browser ASC
LIMIT {limit:UInt64} OFFSET {offset:UInt64};
