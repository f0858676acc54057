-- GET /stats/sources?period=30d&filters=property.plan:in:Pro|Team,property.seats:ne:1

-- reads events
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- around_start0 = "2026-10-22"
-- around_end0 = "2026-11-22"
-- f5 = "plan"
-- f6 = ["Pro","Team"]
-- f7 = "seats"
-- f8 = "1"
-- limit = 50
-- offset = 0
-- setting optimize_use_projections = 0
SELECT utm_source,
	sum(entrance) AS entrances,
	sum(page_view) AS page_views,
	sum(engaged) AS engaged_entrances,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue,
	count() OVER () AS total_rows
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND session GLOBAL IN (
SELECT session
FROM events
WHERE site = {site:String}
	AND date BETWEEN {around_start0:Date} AND {around_end0:Date}
	AND kind IN ('conversion', 'microconversion', 'item')
	AND session != 0
	AND (mapContains(properties, {f5:String}) AND properties[{f5:String}] IN {f6:Array(String)})
)
	AND session GLOBAL NOT IN (
SELECT session
FROM events
WHERE site = {site:String}
	AND date BETWEEN {around_start0:Date} AND {around_end0:Date}
	AND kind IN ('conversion', 'microconversion', 'item')
	AND session != 0
	AND (mapContains(properties, {f7:String}) AND properties[{f7:String}] = {f8:String})
)
GROUP BY utm_source
HAVING entrances != 0 OR page_views != 0 OR engaged_entrances != 0 OR conversions != 0 OR revenue != 0
ORDER BY entrances DESC, utm_source ASC
LIMIT {limit:UInt64} OFFSET {offset:UInt64};
