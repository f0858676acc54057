-- GET /stats/sources?filters=utm_source:eq:google,utm_medium:ne:cpc,utm_campaign:contains:sale,utm_term:not_contains:brand,utm_content:regex:^a,referrer:not_regex:t$,country:in:ES|FR,os:not_in:Windows|Linux,path:eq:/landing

-- reads events
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- f3 = "google"
-- f4 = "cpc"
-- f5 = "sale"
-- f6 = "brand"
-- f7 = "^a"
-- f8 = "t$"
-- f9 = ["ES","FR"]
-- f10 = ["Windows","Linux"]
-- f11 = "/landing"
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
	AND utm_source = {f3:String}
	AND utm_medium != {f4:String}
	AND position(utm_campaign, {f5:String}) > 0
	AND position(utm_term, {f6:String}) = 0
	AND match(utm_content, {f7:String})
	AND NOT match(referrer, {f8:String})
	AND country IN {f9:Array(String)}
	AND os NOT IN {f10:Array(String)}
	AND landing_path = {f11:String}
GROUP BY utm_source
HAVING entrances != 0 OR page_views != 0 OR engaged_entrances != 0 OR conversions != 0 OR revenue != 0
ORDER BY entrances DESC, utm_source ASC
LIMIT {limit:UInt64} OFFSET {offset:UInt64};
