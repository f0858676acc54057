import assert from "node:assert/strict";
import { test } from "node:test";
import { look } from "./look-at-file.ts";

test("the tool that wrote a file is guessed by its first lines", () => {
	assert.deepEqual(look('# Report\n# Start date: 20261001\n\nDate,"Source / medium, both",Sessions\n1,2,3'), {
		source: "ga4_csv",
		columns: ["Date", "Source / medium, both", "Sessions"],
	});
	assert.deepEqual(look("\ufeffFecha;Sesiones\n"), { source: "ga4_csv", columns: ["Fecha", "Sesiones"] });
	assert.equal(look("date,label,nb_visits\n").source, "matomo_csv");
	assert.equal(look("website_id,session_id,visit_id,url_path\n").source, "umami_csv");
	assert.equal(look('192.0.2.1 - - [10/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 1\n').source, "access_log");
	assert.equal(look('{"time":"2026-11-10T10:00:00Z"}\n').source, "access_log");
});
