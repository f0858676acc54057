import { Type } from "typebox";
import { Nullable, Text, Timestamp } from "../../../platform/http/schemas.ts";
import { Password } from "../users/index.ts";
import { appCodePattern } from "./use-code.ts";

const appCode = Type.String({ pattern: appCodePattern, description: "Six digits of the authenticator app" });

export const PasswordBody = Type.Object({ password: Password() });

export const AppCodeBody = Type.Object({ code: appCode });

export const DisableBody = Type.Object({
	password: Password(),
	code: Type.String({ minLength: 6, maxLength: 14, description: "From the authenticator app, or a backup code" }),
});

export const VerifyLoginBody = Type.Object({
	challenge_token: Text(1, 100),
	code: Type.String({ minLength: 6, maxLength: 14 }),
	is_backup_code: Type.Boolean({ default: false }),
});

export const Status = Type.Object({
	enabled: Type.Boolean(),
	enabled_at: Nullable(Timestamp()),
	setup_pending: Type.Boolean(),
	backup_codes_remaining: Type.Integer(),
});

export const Setup = Type.Object({
	secret: Type.String({ description: "Base32" }),
	provisioning_uri: Type.String({ description: "`otpauth:` address" }),
	qr_code_data_url: Type.String({ description: "The same, as a PNG" }),
	expires_in_minutes: Type.Integer(),
});

const backupCodes = Type.Array(Type.String(), { description: "Shown once; each code works once" });

export const Enabled = Type.Object({
	enabled: Type.Literal(true),
	backup_codes: backupCodes,
	message: Type.String(),
});

export const BackupCodesState = Type.Object({ remaining: Type.Integer(), generated_at: Timestamp() });

export const NewBackupCodes = Type.Object({
	backup_codes: backupCodes,
	count: Type.Integer(),
	generated_at: Timestamp(),
});
