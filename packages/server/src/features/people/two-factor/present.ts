import qrcode from "qrcode-generator";
import { squarePng } from "../../../platform/lib/png.ts";
import { timestampOrNull } from "../../../platform/lib/timestamp.ts";
import { SETUP_MINUTES } from "./set-up.ts";
import type { TwoFactorRow } from "./store.ts";

/** Readers need a white border of four fields. */
const BORDER = 4;
const PIXELS_PER_FIELD = 5;

/** A text as a QR code, as the data URL of a PNG. */
function qrCodeDataUrl(text: string): string {
	const code = qrcode(0, "M");
	code.addData(text, "Byte");
	code.make();
	const fields = code.getModuleCount();
	const isBlack = (row: number, column: number): boolean =>
		row >= 0 && row < fields && column >= 0 && column < fields && code.isDark(row, column);
	const png = squarePng(fields + 2 * BORDER, PIXELS_PER_FIELD, (row, column) => isBlack(row - BORDER, column - BORDER));
	return `data:image/png;base64,${png.toString("base64")}`;
}

export const presentStatus = (row: TwoFactorRow | undefined, codesLeft: number, nowMs: number) => {
	const enabledAt = row?.enabled_at ?? null;
	return {
		enabled: enabledAt !== null,
		enabled_at: timestampOrNull(enabledAt),
		setup_pending: (row?.setup_ends_at ?? 0) > nowMs,
		backup_codes_remaining: codesLeft,
	};
};

export const presentSetup = ({ secret, uri }: { secret: string; uri: string }) => ({
	secret,
	provisioning_uri: uri,
	qr_code_data_url: qrCodeDataUrl(uri),
	expires_in_minutes: SETUP_MINUTES,
});
