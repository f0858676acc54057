-- GET /stats/conversions?period=30d&filters=property.plan:eq:Pro

-- reads events
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- f3 = "plan"
-- f4 = "Pro"
-- limit = 20
-- offset = 0
-- setting optimize_use_projections = 0
SELECT event_type AS conversion_type,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue,
	sumIf(conversion, events.revenue > 0) AS paid_conversions,
	count() OVER () AS total_rows
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND (mapContains(properties, {f3:String}) AND properties[{f3:String}] = {f4:String})
GROUP BY conversion_type
HAVING conversions != 0 OR revenue != 0 OR (paid_conversions != 0 AND abs(revenue) * 200 >= paid_conversions)
ORDER BY conversions DESC, conversion_type ASC
LIMIT {limit:UInt64} OFFSET {offset:UInt64};

-- reads events
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- f3 = "plan"
-- f4 = "Pro"
-- limit = 100
-- most = 5000
-- setting optimize_use_projections = 0
SELECT event_type AS conversion_type,
	utm_source,
	utm_medium,
	utm_campaign,
	utm_term,
	utm_content,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND (mapContains(properties, {f3:String}) AND properties[{f3:String}] = {f4:String})
GROUP BY conversion_type, utm_source, utm_medium, utm_campaign, utm_term, utm_content
HAVING conversions != 0 OR revenue != 0
ORDER BY conversions DESC, conversion_type ASC, utm_source ASC, utm_medium ASC, utm_campaign ASC, utm_term ASC, utm_content ASC
LIMIT {limit:UInt64} BY conversion_type
LIMIT {most:UInt64};

-- reads events
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- f3 = "plan"
-- f4 = "Pro"
-- limit = 100
-- most = 5000
-- setting optimize_use_projections = 0
SELECT event_type AS conversion_type,
	country,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND (mapContains(properties, {f3:String}) AND properties[{f3:String}] = {f4:String})
GROUP BY conversion_type, country
HAVING conversions != 0 OR revenue != 0
ORDER BY conversions DESC, conversion_type ASC, country ASC
LIMIT {limit:UInt64} BY conversion_type
LIMIT {most:UInt64};
