-- One server

ALTER TABLE events UPDATE
	path = arrayStringConcat(arrayMap(part -> multiIf(match(part, '^%[0-9A-Fa-f]{2}$'), if(match(unhex(substring(part, 2)), '^[A-Za-z0-9._~-]$'), unhex(substring(part, 2)), upper(part)), match(part, '^[^\\x00-\\x7F]'), replaceRegexpAll(hex(part), '..', '%\\0'), part), extractAll(path, '%[0-9A-Fa-f]{2}|[^\\x00-\\x7F]|%|[\\x00-\\x24\\x26-\\x7F]+'))),
	landing_path = arrayStringConcat(arrayMap(part -> multiIf(match(part, '^%[0-9A-Fa-f]{2}$'), if(match(unhex(substring(part, 2)), '^[A-Za-z0-9._~-]$'), unhex(substring(part, 2)), upper(part)), match(part, '^[^\\x00-\\x7F]'), replaceRegexpAll(hex(part), '..', '%\\0'), part), extractAll(landing_path, '%[0-9A-Fa-f]{2}|[^\\x00-\\x7F]|%|[\\x00-\\x24\\x26-\\x7F]+'))),
	properties = if(event_type = '404' AND mapContains(properties, 'path'), mapUpdate(properties, map('path', arrayStringConcat(arrayMap(part -> multiIf(match(part, '^%[0-9A-Fa-f]{2}$'), if(match(unhex(substring(part, 2)), '^[A-Za-z0-9._~-]$'), unhex(substring(part, 2)), upper(part)), match(part, '^[^\\x00-\\x7F]'), replaceRegexpAll(hex(part), '..', '%\\0'), part), extractAll(properties['path'], '%[0-9A-Fa-f]{2}|[^\\x00-\\x7F]|%|[\\x00-\\x24\\x26-\\x7F]+'))))), properties)
WHERE match(path, '%[0-9A-Fa-f]?[a-f]|%[a-f]|%(2[dDeE]|3[0-9]|4[1-9a-fA-F]|5[0-9aAfF]|6[1-9a-fA-F]|7[0-9aAeE])|[^\\x00-\\x7F]') OR match(landing_path, '%[0-9A-Fa-f]?[a-f]|%[a-f]|%(2[dDeE]|3[0-9]|4[1-9a-fA-F]|5[0-9aAfF]|6[1-9a-fA-F]|7[0-9aAeE])|[^\\x00-\\x7F]') OR (event_type = '404' AND match(properties['path'], '%[0-9A-Fa-f]?[a-f]|%[a-f]|%(2[dDeE]|3[0-9]|4[1-9a-fA-F]|5[0-9aAfF]|6[1-9a-fA-F]|7[0-9aAeE])|[^\\x00-\\x7F]'))
SETTINGS mutations_sync = 2;

-- Cluster

ALTER TABLE events_local ON CLUSTER `main` UPDATE
	path = arrayStringConcat(arrayMap(part -> multiIf(match(part, '^%[0-9A-Fa-f]{2}$'), if(match(unhex(substring(part, 2)), '^[A-Za-z0-9._~-]$'), unhex(substring(part, 2)), upper(part)), match(part, '^[^\\x00-\\x7F]'), replaceRegexpAll(hex(part), '..', '%\\0'), part), extractAll(path, '%[0-9A-Fa-f]{2}|[^\\x00-\\x7F]|%|[\\x00-\\x24\\x26-\\x7F]+'))),
	landing_path = arrayStringConcat(arrayMap(part -> multiIf(match(part, '^%[0-9A-Fa-f]{2}$'), if(match(unhex(substring(part, 2)), '^[A-Za-z0-9._~-]$'), unhex(substring(part, 2)), upper(part)), match(part, '^[^\\x00-\\x7F]'), replaceRegexpAll(hex(part), '..', '%\\0'), part), extractAll(landing_path, '%[0-9A-Fa-f]{2}|[^\\x00-\\x7F]|%|[\\x00-\\x24\\x26-\\x7F]+'))),
	properties = if(event_type = '404' AND mapContains(properties, 'path'), mapUpdate(properties, map('path', arrayStringConcat(arrayMap(part -> multiIf(match(part, '^%[0-9A-Fa-f]{2}$'), if(match(unhex(substring(part, 2)), '^[A-Za-z0-9._~-]$'), unhex(substring(part, 2)), upper(part)), match(part, '^[^\\x00-\\x7F]'), replaceRegexpAll(hex(part), '..', '%\\0'), part), extractAll(properties['path'], '%[0-9A-Fa-f]{2}|[^\\x00-\\x7F]|%|[\\x00-\\x24\\x26-\\x7F]+'))))), properties)
WHERE match(path, '%[0-9A-Fa-f]?[a-f]|%[a-f]|%(2[dDeE]|3[0-9]|4[1-9a-fA-F]|5[0-9aAfF]|6[1-9a-fA-F]|7[0-9aAeE])|[^\\x00-\\x7F]') OR match(landing_path, '%[0-9A-Fa-f]?[a-f]|%[a-f]|%(2[dDeE]|3[0-9]|4[1-9a-fA-F]|5[0-9aAfF]|6[1-9a-fA-F]|7[0-9aAeE])|[^\\x00-\\x7F]') OR (event_type = '404' AND match(properties['path'], '%[0-9A-Fa-f]?[a-f]|%[a-f]|%(2[dDeE]|3[0-9]|4[1-9a-fA-F]|5[0-9aAfF]|6[1-9a-fA-F]|7[0-9aAeE])|[^\\x00-\\x7F]'))
SETTINGS mutations_sync = 2;
