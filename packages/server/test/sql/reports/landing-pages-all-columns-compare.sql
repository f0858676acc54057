-- GET /stats/landing-pages?period=30d&include_utm=true&include=os&sort_by=bounce_rate&compare=yoy&content_grouping=blog

-- reads events
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- f3 = ["blog"]
-- limit = 50
-- offset = 0
-- setting optimize_use_projections = 0
SELECT landing_path AS landing_page,
	landing_group AS landing_content_grouping,
	utm_source,
	utm_medium,
	utm_campaign,
	utm_term,
	utm_content,
	os,
	sum(entrance) AS entrances,
	sum(engaged) AS engaged_entrances,
	sum(microconversion) AS microconversions,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue,
	count() OVER () AS total_rows
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND landing_group IN {f3:Array(String)}
GROUP BY landing_page, landing_content_grouping, utm_source, utm_medium, utm_campaign, utm_term, utm_content, os
HAVING entrances != 0 OR engaged_entrances != 0 OR microconversions != 0 OR conversions != 0 OR revenue != 0
ORDER BY if(entrances = 0, 0, (entrances - engaged_entrances) / entrances) DESC, landing_page ASC, landing_content_grouping ASC, utm_source ASC, utm_medium ASC, utm_campaign ASC, utm_term ASC, utm_content ASC, os ASC
LIMIT {limit:UInt64} OFFSET {offset:UInt64};

-- reads by_landing
-- site = "shop"
-- start = "2025-10-23"
-- end = "2025-11-21"
-- f3 = ["blog"]
-- setting preferred_optimize_projection_name = "by_landing"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
SELECT sum(entrance) AS entrances,
	sum(engaged) AS engaged_entrances,
	sum(microconversion) AS microconversions,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND landing_group IN {f3:Array(String)};

-- reads events
-- site = "shop"
-- start = "2025-10-23"
-- end = "2025-11-21"
-- f3 = ["blog"]
-- g4 = ["/p0","/p1","/p2","/p3","/p4","/p5","/p6","/p7","/p8","/p9"]
-- g5 = ["blog","blog","blog","blog","blog","blog","blog","blog","blog","blog"]
-- g6 = ["s0","s1","s2","s3","s4","s0","s1","s2","s3","s4"]
-- g7 = ["","","","","","","","","",""]
-- g8 = ["","","","","","","","","",""]
-- g9 = ["","","","","","","","","",""]
-- g10 = ["","","","","","","","","",""]
-- g11 = ["","","","","","","","","",""]
-- setting optimize_use_projections = 0
SELECT landing_path AS landing_page,
	landing_group AS landing_content_grouping,
	utm_source,
	utm_medium,
	utm_campaign,
	utm_term,
	utm_content,
	os,
	sum(entrance) AS entrances,
	sum(engaged) AS engaged_entrances,
	sum(microconversion) AS microconversions,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND landing_group IN {f3:Array(String)}
	AND (landing_path, landing_group, utm_source, utm_medium, utm_campaign, utm_term, utm_content, os) IN arrayZip({g4:Array(String)}, {g5:Array(String)}, {g6:Array(String)}, {g7:Array(String)}, {g8:Array(String)}, {g9:Array(String)}, {g10:Array(String)}, {g11:Array(String)})
GROUP BY landing_page, landing_content_grouping, utm_source, utm_medium, utm_campaign, utm_term, utm_content, os
HAVING entrances != 0 OR engaged_entrances != 0 OR microconversions != 0 OR conversions != 0 OR revenue != 0
ORDER BY landing_page, landing_content_grouping, utm_source, utm_medium, utm_campaign, utm_term, utm_content, os;
