-- GET /stats/properties/keys?period=30d&table=conversion_items

-- reads events
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- setting optimize_use_projections = 0
SELECT key,
	sum(if(match(properties['quantity'], '^[0-9]{1,6}$'), toUInt64OrZero(properties['quantity']), 1)) AS conversions_count,
	toUInt64(0) AS microconversions_count,
	conversions_count + microconversions_count AS total_count
FROM events
ARRAY JOIN mapKeys(properties) AS key
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND kind = 'item'
	AND key != 'quantity'
GROUP BY key
HAVING total_count != 0
ORDER BY total_count DESC, key
LIMIT 10000;
