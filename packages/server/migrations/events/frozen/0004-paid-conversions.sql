-- One server

ALTER TABLE events DROP PROJECTION IF EXISTS by_day;

ALTER TABLE events ADD PROJECTION IF NOT EXISTS by_day (SELECT site, date, import_id, sum(entrance), sum(engaged), sum(page_view), sum(conversion), sum(microconversion), sum(revenue), sumIf(conversion, revenue > 0), sum(visit_seconds), uniqCombinedIf(20)(bitShiftRight(session, 17) + bitShiftLeft(toUInt64(date), 47), (entrance > 0) AND (session > 0)), sum(visitor) GROUP BY site, date, import_id) FIRST;

ALTER TABLE events MATERIALIZE PROJECTION by_day;

ALTER TABLE events DROP PROJECTION IF EXISTS by_event;

ALTER TABLE events ADD PROJECTION IF NOT EXISTS by_event (SELECT site, date, import_id, event_type, utm_source, utm_medium, utm_campaign, utm_term, utm_content, sum(entrance), sum(engaged), sum(page_view), sum(conversion), sum(microconversion), sum(revenue), sumIf(conversion, revenue > 0) GROUP BY site, date, import_id, event_type, utm_source, utm_medium, utm_campaign, utm_term, utm_content);

ALTER TABLE events MATERIALIZE PROJECTION by_event;

-- Cluster

ALTER TABLE events_local ON CLUSTER `main` DROP PROJECTION IF EXISTS by_day;

ALTER TABLE events_local ON CLUSTER `main` ADD PROJECTION IF NOT EXISTS by_day (SELECT site, date, import_id, sum(entrance), sum(engaged), sum(page_view), sum(conversion), sum(microconversion), sum(revenue), sumIf(conversion, revenue > 0), sum(visit_seconds), uniqCombinedIf(20)(bitShiftRight(session, 17) + bitShiftLeft(toUInt64(date), 47), (entrance > 0) AND (session > 0)), sum(visitor) GROUP BY site, date, import_id) FIRST;

ALTER TABLE events_local ON CLUSTER `main` MATERIALIZE PROJECTION by_day;

ALTER TABLE events_local ON CLUSTER `main` DROP PROJECTION IF EXISTS by_event;

ALTER TABLE events_local ON CLUSTER `main` ADD PROJECTION IF NOT EXISTS by_event (SELECT site, date, import_id, event_type, utm_source, utm_medium, utm_campaign, utm_term, utm_content, sum(entrance), sum(engaged), sum(page_view), sum(conversion), sum(microconversion), sum(revenue), sumIf(conversion, revenue > 0) GROUP BY site, date, import_id, event_type, utm_source, utm_medium, utm_campaign, utm_term, utm_content);

ALTER TABLE events_local ON CLUSTER `main` MATERIALIZE PROJECTION by_event;
