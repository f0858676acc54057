-- GET /stats/properties/breakdown?site_id=shop&period=30d&property_key=sku&table=conversion_items

-- reads events
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- key = "sku"
-- setting optimize_use_projections = 0
SELECT properties[{key:String}] AS property_value,
	sum(if(match(properties['quantity'], '^[0-9]{1,6}$'), toUInt64OrZero(properties['quantity']), 1)) + toUInt64(0) AS total,
	sum(total) OVER () AS total_events
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND kind = 'item'
	AND mapContains(properties, {key:String})
GROUP BY property_value
HAVING total != 0
ORDER BY total DESC, property_value
LIMIT 100;

-- reads events
-- values = []
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- key = "sku"
-- setting optimize_use_projections = 0
SELECT utm_source, utm_medium, utm_campaign,
	sum(parts.total) AS total,
	mapSort(mapFromArrays(groupArrayIf(property_value, property_value IN {values:Array(String)}), groupArrayIf(parts.total, property_value IN {values:Array(String)}))) AS values
FROM (
SELECT utm_source, utm_medium, utm_campaign,
	properties[{key:String}] AS property_value,
	sum(if(match(properties['quantity'], '^[0-9]{1,6}$'), toUInt64OrZero(properties['quantity']), 1)) + toUInt64(0) AS total
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND kind = 'item'
	AND mapContains(properties, {key:String})
GROUP BY utm_source, utm_medium, utm_campaign, property_value
HAVING total != 0
) AS parts
GROUP BY utm_source, utm_medium, utm_campaign
ORDER BY total DESC, utm_source, utm_medium, utm_campaign
LIMIT 100;
