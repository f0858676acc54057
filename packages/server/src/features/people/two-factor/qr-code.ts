import qrcode from "qrcode-generator";
import { squarePng } from "../../../platform/lib/png.ts";

/** Readers need a white border of four fields. */
const BORDER = 4;
const PIXELS_PER_FIELD = 5;

/** A text as a QR code, as the data URL of a PNG. */
export function qrCodeDataUrl(text: string): string {
	const code = qrcode(0, "M");
	code.addData(text, "Byte");
	code.make();
	const fields = code.getModuleCount();
	const isBlack = (row: number, column: number): boolean =>
		row >= 0 && row < fields && column >= 0 && column < fields && code.isDark(row, column);
	const png = squarePng(fields + 2 * BORDER, PIXELS_PER_FIELD, (row, column) => isBlack(row - BORDER, column - BORDER));
	return `data:image/png;base64,${png.toString("base64")}`;
}
