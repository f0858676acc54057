-- GET /stats/properties/values?period=30d&property_key=plan&group_by=all&page=2

-- reads events
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- key = "plan"
-- limit = 50
-- offset = 50
-- setting optimize_use_projections = 0
SELECT properties[{key:String}] AS property_value,
	utm_source,
	utm_medium,
	utm_campaign,
	sum(conversion) AS conversions_count,
	sum(microconversion) AS microconversions_count,
	sum(events.revenue) AS revenue,
	count() OVER () AS total_rows
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND kind IN ('conversion', 'microconversion')
	AND mapContains(properties, {key:String})
GROUP BY property_value, utm_source, utm_medium, utm_campaign
HAVING conversions_count + microconversions_count != 0
ORDER BY conversions_count + microconversions_count DESC, property_value, utm_source, utm_medium, utm_campaign
LIMIT {limit:UInt64} OFFSET {offset:UInt64};

-- reads events
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- key = "plan"
-- limit = 1
-- offset = 0
-- setting optimize_use_projections = 0
SELECT properties[{key:String}] AS property_value,
	utm_source,
	utm_medium,
	utm_campaign,
	sum(conversion) AS conversions_count,
	sum(microconversion) AS microconversions_count,
	sum(events.revenue) AS revenue,
	count() OVER () AS total_rows
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND kind IN ('conversion', 'microconversion')
	AND mapContains(properties, {key:String})
GROUP BY property_value, utm_source, utm_medium, utm_campaign
HAVING conversions_count + microconversions_count != 0
ORDER BY conversions_count + microconversions_count DESC, property_value, utm_source, utm_medium, utm_campaign
LIMIT {limit:UInt64} OFFSET {offset:UInt64};
