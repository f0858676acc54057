-- POST /stats/query {"date_from":"2026-10-22","date_to":"2026-11-20","dimensions":["utm_source","channel_group"],"metrics":["entrances","engaged_entrances","revenue"],"filters":{"country":["es","Unknown"],"device_type_not":"Tablet","channel_group":"","utm_source_not":["a'b","{c:String}"],"hour":[9,10],"day_of_week":7},"order_by":[{"field":"bounce_rate"},{"field":"channel_group","direction":"asc"}],"limit":20,"offset":40}

-- reads events
-- site = "shop"
-- start = "2026-10-22"
-- end = "2026-11-20"
-- f3 = ["ES","Unknown"]
-- f4 = [""]
-- f5 = ["9","10"]
-- f6 = ["7"]
-- f7 = ["a'b","{c:String}"]
-- f8 = ["tablet"]
-- limit = 20
-- offset = 40
-- setting optimize_use_projections = 0
SELECT utm_source,
	channel AS channel_group,
	sum(entrance) AS entrances,
	sum(engaged) AS engaged_entrances,
	sum(events.revenue) AS revenue,
	count() OVER () AS total_rows
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND country IN {f3:Array(String)}
	AND channel IN {f4:Array(String)}
	AND hour IN {f5:Array(String)}
	AND toDayOfWeek(date) IN {f6:Array(String)}
	AND utm_source NOT IN {f7:Array(String)}
	AND device NOT IN {f8:Array(String)}
GROUP BY utm_source, channel_group
HAVING entrances != 0 OR engaged_entrances != 0 OR revenue != 0
ORDER BY if(entrances = 0, 0, (entrances - engaged_entrances) / entrances) DESC, channel_group ASC, utm_source ASC
LIMIT {limit:UInt64} OFFSET {offset:UInt64};

-- reads events
-- site = "shop"
-- start = "2026-10-22"
-- end = "2026-11-20"
-- f3 = ["ES","Unknown"]
-- f4 = [""]
-- f5 = ["9","10"]
-- f6 = ["7"]
-- f7 = ["a'b","{c:String}"]
-- f8 = ["tablet"]
-- limit = 1
-- offset = 0
-- setting optimize_use_projections = 0
SELECT utm_source,
	channel AS channel_group,
	sum(entrance) AS entrances,
	sum(engaged) AS engaged_entrances,
	sum(events.revenue) AS revenue,
	count() OVER () AS total_rows
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND country IN {f3:Array(String)}
	AND channel IN {f4:Array(String)}
	AND hour IN {f5:Array(String)}
	AND toDayOfWeek(date) IN {f6:Array(String)}
	AND utm_source NOT IN {f7:Array(String)}
	AND device NOT IN {f8:Array(String)}
GROUP BY utm_source, channel_group
HAVING entrances != 0 OR engaged_entrances != 0 OR revenue != 0
ORDER BY if(entrances = 0, 0, (entrances - engaged_entrances) / entrances) DESC, channel_group ASC, utm_source ASC
LIMIT {limit:UInt64} OFFSET {offset:UInt64};
