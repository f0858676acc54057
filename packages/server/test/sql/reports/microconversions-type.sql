-- GET /stats/microconversions/signup?period=30d

-- reads by_event
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- f3 = "signup"
-- setting preferred_optimize_projection_name = "by_event"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
SELECT sum(microconversion) AS microconversions
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND event_type = {f3:String};

-- reads events
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- f3 = "signup"
-- limit = 100
-- setting optimize_use_projections = 0
SELECT device AS device_type,
	sum(microconversion) AS microconversions
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND event_type = {f3:String}
GROUP BY device_type
HAVING microconversions != 0
ORDER BY microconversions DESC, device_type ASC
LIMIT {limit:UInt64};

-- reads events
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- f3 = "signup"
-- limit = 100
-- setting optimize_use_projections = 0
SELECT country,
	sum(microconversion) AS microconversions
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND event_type = {f3:String}
GROUP BY country
HAVING microconversions != 0
ORDER BY microconversions DESC, country ASC
LIMIT {limit:UInt64};

-- reads events
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- f3 = "signup"
-- limit = 100
-- setting optimize_use_projections = 0
SELECT landing_path AS landing_page,
	sum(microconversion) AS microconversions
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND event_type = {f3:String}
GROUP BY landing_page
HAVING microconversions != 0
ORDER BY microconversions DESC, landing_page ASC
LIMIT {limit:UInt64};

-- reads by_event
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- f3 = "signup"
-- limit = 100
-- setting preferred_optimize_projection_name = "by_event"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
SELECT utm_source,
	utm_medium,
	sum(microconversion) AS microconversions
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND event_type = {f3:String}
GROUP BY utm_source, utm_medium
HAVING microconversions != 0
ORDER BY microconversions DESC, utm_source ASC, utm_medium ASC
LIMIT {limit:UInt64};
