import type { Readable } from "node:stream";
import { type ClickHouseClient, ClickHouseError, type ClickHouseSettings } from "@clickhouse/client";
import type { ByteQuery } from "./event-store.ts";
import { storeError } from "./store-error.ts";

/** An error at the end of an answer is no longer than this; what could be one is held back. */
const HELD_BYTES = 32 * 1024;

/** The answer of a query in a format of the engine, as it comes. Throws where the engine breaks off, before its last bytes. */
export async function* streamBytes(
	client: ClickHouseClient,
	query: ByteQuery,
	settings: ClickHouseSettings,
): AsyncGenerator<Uint8Array> {
	const answer = await client.exec({
		query: `${query.sql}\nFORMAT ${query.format}`,
		clickhouse_settings: settings,
		...(query.params && { query_params: query.params as Record<string, unknown> }),
		...(query.signal && { abort_signal: query.signal }),
	});
	const stream: Readable = answer.stream;
	const tag = String(answer.response_headers["x-clickhouse-exception-tag"] ?? "");
	try {
		let held: Buffer[] = [];
		let heldBytes = 0;
		for await (const piece of stream as AsyncIterable<Buffer>) {
			held.push(piece);
			heldBytes += piece.byteLength;
			while (held[0] !== undefined && heldBytes - held[0].byteLength >= HELD_BYTES) {
				const [first, ...rest] = held;
				held = rest;
				heldBytes -= first?.byteLength ?? 0;
				if (first !== undefined) yield first;
			}
		}
		const end = Buffer.concat(held);
		throwFailure(end, tag, query.sql);
		if (end.byteLength > 0) yield end;
	} finally {
		// A caller that stops early hangs up, which kills the query.
		stream.destroy();
	}
}

/** ClickHouse writes what goes wrong after the first bytes behind them, between two marks. */
function throwFailure(end: Buffer, tag: string, sql: string): void {
	if (tag === "") return;
	const mark = `\r\n__exception__\r\n${tag}\r\n`;
	const at = end.lastIndexOf(mark);
	if (at < 0 || !end.includes(`${tag}\r\n__exception__\r\n`, at + mark.length)) return;
	const text = end.subarray(at + mark.length).toString("utf8");
	const [, code = "0", type] = /Code: (\d+)\..*?\(([A-Z_]+)\)/s.exec(text) ?? [];
	throw storeError(new ClickHouseError({ message: text, code, ...(type !== undefined && { type }) }), sql);
}
