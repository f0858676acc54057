import { crc32, deflateRawSync } from "node:zlib";

/** A file of an archive; `claims` is the size that the archive says it has. */
export interface ZippedFile {
	readonly name: string;
	readonly content: string | Buffer;
	readonly claims?: number;
}

/** A zip archive in memory (PKWARE APPNOTE 4.3), with whatever names and sizes a test wants it to claim. */
export function zipFile(files: readonly ZippedFile[]): Buffer {
	const parts: Buffer[] = [];
	const list: Buffer[] = [];
	let offset = 0;
	for (const { name, content, claims } of files) {
		const bytes = Buffer.from(content);
		const packed = deflateRawSync(bytes);
		const fields = Buffer.alloc(26);
		fields.writeUInt16LE(20, 0);
		fields.writeUInt16LE(0x0800, 2);
		fields.writeUInt16LE(8, 4);
		fields.writeUInt32LE(crc32(bytes), 10);
		fields.writeUInt32LE(packed.length, 14);
		fields.writeUInt32LE(claims ?? bytes.length, 18);
		fields.writeUInt16LE(Buffer.byteLength(name), 22);
		const local = Buffer.concat([signature(0x04034b50), fields, Buffer.from(name), packed]);
		const entry = Buffer.alloc(14);
		entry.writeUInt32LE(offset, 10);
		list.push(Buffer.concat([signature(0x02014b50), Buffer.from([20, 0]), fields, entry, Buffer.from(name)]));
		parts.push(local);
		offset += local.length;
	}
	const listed = Buffer.concat(list);
	const end = Buffer.alloc(18);
	end.writeUInt16LE(files.length, 4);
	end.writeUInt16LE(files.length, 6);
	end.writeUInt32LE(listed.length, 8);
	end.writeUInt32LE(offset, 12);
	return Buffer.concat([...parts, listed, signature(0x06054b50), end]);
}

function signature(value: number): Buffer {
	const bytes = Buffer.alloc(4);
	bytes.writeUInt32LE(value);
	return bytes;
}
