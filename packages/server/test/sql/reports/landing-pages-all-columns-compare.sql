-- GET /stats/landing-pages?period=30d&include_utm=true&include=os&sort_by=bounce_rate&compare=yoy&content_grouping=blog

-- reads events
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- f3 = ["blog"]
-- limit = 50
-- offset = 0
-- setting optimize_use_projections = 0
SELECT k0 AS landing_page,
	k1 AS landing_content_grouping,
	k2 AS campaign,
	k3 AS os,
	entrances,
	engaged_entrances,
	microconversions,
	conversions,
	revenue,
	count() OVER () AS total_rows
FROM (
SELECT any(landing_path) AS k0,
	any(landing_group) AS k1,
	any(campaign) AS k2,
	any(os) AS k3,
	sum(entrance) AS entrances,
	sum(engaged) AS engaged_entrances,
	sum(microconversion) AS microconversions,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND landing_group IN {f3:Array(String)}
GROUP BY cityHash64(landing_path), cityHash64(landing_group) * 11400714819323198485 + cityHash64(campaign) * 15755400384260043839 + cityHash64(os) * 1663341875487337577
) AS parts
WHERE entrances != 0 OR engaged_entrances != 0 OR microconversions != 0 OR conversions != 0 OR revenue != 0
ORDER BY if(entrances = 0, 0, (entrances - engaged_entrances) / entrances) DESC, landing_page ASC, landing_content_grouping ASC, campaign ASC, os ASC
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
-- g0 = ["/p0","/p1","/p2","/p3","/p4","/p5","/p6","/p7","/p8","/p9"]
-- g1 = ["blog","blog","blog","blog","blog","blog","blog","blog","blog","blog"]
-- g2 = ["s0\u0000\u0000\u0000\u0000","s1\u0000\u0000\u0000\u0000","s2\u0000\u0000\u0000\u0000","s3\u0000\u0000\u0000\u0000","s4\u0000\u0000\u0000\u0000","s0\u0000\u0000\u0000\u0000","s1\u0000\u0000\u0000\u0000","s2\u0000\u0000\u0000\u0000","s3\u0000\u0000\u0000\u0000","s4\u0000\u0000\u0000\u0000"]
-- g3 = ["","","","","","","","","",""]
-- site = "shop"
-- start = "2025-10-23"
-- end = "2025-11-21"
-- f7 = ["blog"]
-- setting optimize_use_projections = 0
SELECT k0 AS landing_page,
	k1 AS landing_content_grouping,
	k2 AS campaign,
	k3 AS os,
	entrances,
	engaged_entrances,
	microconversions,
	conversions,
	revenue
FROM (
SELECT any(landing_path) AS k0,
	any(landing_group) AS k1,
	any(campaign) AS k2,
	any(os) AS k3,
	sum(entrance) AS entrances,
	sum(engaged) AS engaged_entrances,
	sum(microconversion) AS microconversions,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND landing_group IN {f7:Array(String)}
	AND (landing_path, landing_group, campaign, os) IN arrayZip({g0:Array(String)}, {g1:Array(String)}, {g2:Array(String)}, {g3:Array(String)})
GROUP BY cityHash64(landing_path), cityHash64(landing_group) * 11400714819323198485 + cityHash64(campaign) * 15755400384260043839 + cityHash64(os) * 1663341875487337577
) AS parts
WHERE entrances != 0 OR engaged_entrances != 0 OR microconversions != 0 OR conversions != 0 OR revenue != 0
ORDER BY landing_page, landing_content_grouping, campaign, os;
