-- GET /stats/properties/breakdown?period=30d&property_key=sku&table=conversion_items

-- reads events
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- key = "sku"
-- setting optimize_use_projections = 0
SELECT grouping(property_value) AS is_source,
	property_value, utm_source, utm_medium, utm_campaign,
	sum(parts.total) AS total,
	if(is_source = 1, mapSort(mapFromArrays(groupArrayIf(parts.property_value, value_rank <= 100), groupArrayIf(parts.total, value_rank <= 100))), map()) AS values,
	sum(total) OVER (PARTITION BY is_source) AS total_events
FROM (
SELECT *,
	dense_rank() OVER (ORDER BY value_total DESC, property_value) AS value_rank
FROM (
SELECT utm_source, utm_medium, utm_campaign,
	properties[{key:String}] AS property_value,
	sum(if(match(properties['quantity'], '^[0-9]{1,6}$'), toUInt64OrZero(properties['quantity']), 1)) + toUInt64(0) AS total,
	sum(total) OVER (PARTITION BY property_value) AS value_total
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND kind = 'item'
	AND mapContains(properties, {key:String})
GROUP BY utm_source, utm_medium, utm_campaign, property_value
HAVING total != 0
)
) AS parts
GROUP BY GROUPING SETS ((property_value), (utm_source, utm_medium, utm_campaign))
ORDER BY is_source, total DESC, property_value, utm_source, utm_medium, utm_campaign
LIMIT 100 BY is_source;
