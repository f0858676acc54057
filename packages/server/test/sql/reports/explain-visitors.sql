-- POST /stats/explain {"date_from":"2026-10-22","date_to":"2026-11-20","metric":"visitors","compare":"previous"}

-- reads events
-- site = "shop"
-- start = "2026-10-22"
-- end = "2026-11-20"
-- earlier_start = "2026-09-22"
-- earlier_end = "2026-10-21"
-- setting optimize_use_projections = 0
SELECT part,
	value,
	sumIf(parts.visitors, is_current) AS current,
	sumIf(parts.visitors, is_earlier) AS earlier,
	current - earlier AS change,
	sum(abs(change)) OVER (PARTITION BY part) AS moved
FROM (
SELECT date >= {start:Date} AS is_current,
	date <= {earlier_end:Date} AS is_earlier,
	multiIf(grouping(channel) = 0, 'channel_group', grouping(utm_source) = 0, 'utm_source', grouping(utm_medium) = 0, 'utm_medium', grouping(utm_campaign) = 0, 'utm_campaign', grouping(utm_term) = 0, 'utm_term', grouping(utm_content) = 0, 'utm_content', grouping(referrer) = 0, 'referrer_domain', grouping(landing_path) = 0, 'landing_page', grouping(landing_group) = 0, 'landing_content_grouping', grouping(country) = 0, 'country', grouping(device) = 0, 'device_type', grouping(browser) = 0, 'browser', grouping(os) = 0, 'os', 'total') AS part,
	concat('', channel, utm_source, utm_medium, utm_campaign, utm_term, utm_content, referrer, landing_path, landing_group, country, device, browser, os) AS value,
	uniqCombinedIf(20)(bitShiftRight(session, 17) + bitShiftLeft(toUInt64(date), 47), (entrance > 0) AND (session > 0)) + sum(visitor) AS visitors
FROM events
WHERE site = {site:String}
	AND date BETWEEN {earlier_start:Date} AND {end:Date}
	AND (entrance != 0 OR visitor != 0)
GROUP BY GROUPING SETS ((is_current, is_earlier), (is_current, is_earlier, channel), (is_current, is_earlier, utm_source), (is_current, is_earlier, utm_medium), (is_current, is_earlier, utm_campaign), (is_current, is_earlier, utm_term), (is_current, is_earlier, utm_content), (is_current, is_earlier, referrer), (is_current, is_earlier, landing_path), (is_current, is_earlier, landing_group), (is_current, is_earlier, country), (is_current, is_earlier, device), (is_current, is_earlier, browser), (is_current, is_earlier, os))
) AS parts
GROUP BY part, value
HAVING current != 0 OR earlier != 0
ORDER BY abs(change) DESC, value
LIMIT 10 BY part;

-- reads events
-- site = "shop"
-- setting optimize_use_projections = 0
SELECT toString(date) AS day
FROM events
WHERE site = {site:String}
ORDER BY site, date, hour, ts
LIMIT 1;
