import { crc32, deflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const GREYSCALE_8_BIT = Buffer.from([8, 0, 0, 0, 0]);

/** A PNG of a square of black and white fields; `isBlack` is asked for each field, `scale` is the pixels along one. */
export function squarePng(size: number, scale: number, isBlack: (row: number, column: number) => boolean): Buffer {
	const pixels = size * scale;
	const lines = Array.from({ length: pixels }, (_, y) => {
		const line = Buffer.alloc(pixels + 1);
		for (let x = 0; x < pixels; x++) {
			line[x + 1] = isBlack(Math.floor(y / scale), Math.floor(x / scale)) ? 0 : 255;
		}
		return line;
	});
	const header = Buffer.alloc(8);
	header.writeUInt32BE(pixels, 0);
	header.writeUInt32BE(pixels, 4);
	return Buffer.concat([
		SIGNATURE,
		chunk("IHDR", Buffer.concat([header, GREYSCALE_8_BIT])),
		chunk("IDAT", deflateSync(Buffer.concat(lines))),
		chunk("IEND", Buffer.alloc(0)),
	]);
}

function chunk(type: string, data: Buffer): Buffer {
	const content = Buffer.concat([Buffer.from(type, "latin1"), data]);
	const length = Buffer.alloc(4);
	length.writeUInt32BE(data.length);
	const checksum = Buffer.alloc(4);
	checksum.writeUInt32BE(crc32(content));
	return Buffer.concat([length, content, checksum]);
}
