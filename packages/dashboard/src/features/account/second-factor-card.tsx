import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call } from "../../api/client.ts";
import { time } from "../../lib/format.ts";
import { textOf } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { toast } from "../../ui/toast/toast.tsx";
import styles from "./account.module.css";
import { BackupCodes } from "./backup-codes.tsx";
import { NewCodesForm } from "./new-codes-form.tsx";
import { SecondFactorSetup } from "./second-factor-setup.tsx";
import { t } from "./security-texts.ts";

/** From so few on it is time for new ones. */
const few = 3;

/** The second step of signing in: off, being set up, or on. */
export function SecondFactorCard() {
	const queries = useQueryClient();
	const query = useQuery({
		queryKey: ["GET /2fa/status"],
		queryFn: ({ signal }) => call("GET /2fa/status", { signal }),
	});
	const [isSettingUp, setSettingUp] = useState(false);
	const [codes, setCodes] = useState<readonly string[]>();
	const refresh = () => {
		for (const route of ["GET /2fa/status", "GET /auth/sessions", "GET /auth/me"]) {
			void queries.invalidateQueries({ queryKey: [route] });
		}
	};
	return (
		<Card title={t.second}>
			<Loaded query={query}>
				{(status) =>
					codes !== undefined ? (
						<BackupCodes codes={codes} onKept={() => setCodes(undefined)} />
					) : isSettingUp ? (
						<SecondFactorSetup
							onCancel={() => setSettingUp(false)}
							onDone={(made) => {
								setCodes(made);
								setSettingUp(false);
								refresh();
								toast(t.nowOn);
							}}
						/>
					) : status.enabled ? (
						<IsOn status={status} onCodes={setCodes} refresh={refresh} />
					) : (
						<div className={styles.stack}>
							<p className={styles.muted}>{t.secondText}</p>
							<Button look="primary" onClick={() => setSettingUp(true)}>
								{t.turnOn}
							</Button>
						</div>
					)
				}
			</Loaded>
		</Card>
	);
}

interface IsOnProps {
	readonly status: Answer<"GET /2fa/status">;
	readonly onCodes: (codes: readonly string[]) => void;
	readonly refresh: () => void;
}

function IsOn({ status, onCodes, refresh }: IsOnProps) {
	const [open, setOpen] = useState<"codes" | "off">();
	const left = status.backup_codes_remaining;
	return (
		<div className={styles.stack}>
			<p>
				<strong className={styles.done}>{t.on}</strong>{" "}
				{status.enabled_at !== null && t.onSince(time(status.enabled_at))} {t.codesLeft(left)}{" "}
				{left <= few && t.fewLeft}
			</p>
			{open === "codes" ? (
				<NewCodesForm
					onCancel={() => setOpen(undefined)}
					onDone={(codes) => {
						setOpen(undefined);
						onCodes(codes);
						refresh();
					}}
				/>
			) : (
				<div className={styles.actions}>
					<Button onClick={() => setOpen("codes")}>{t.anew}</Button>
					<Button look="danger" onClick={() => setOpen("off")}>
						{t.turnOff}
					</Button>
				</div>
			)}
			{open === "off" && <TurnOff refresh={refresh} onClose={() => setOpen(undefined)} />}
		</div>
	);
}

function TurnOff({ refresh, onClose }: { readonly refresh: () => void; readonly onClose: () => void }) {
	const turnOff = async (values: FormData) => {
		const body = { password: textOf(values, "password"), code: textOf(values, "code").trim() };
		await call("POST /2fa/disable", { body });
		refresh();
		toast(t.nowOff);
	};
	return (
		<ConfirmDialog
			title={t.turnOffTitle}
			goes={[t.turnOffGoes, t.turnOffCodes]}
			stays={[t.turnOffStays]}
			action={t.turnOff}
			onConfirm={turnOff}
			onClose={onClose}
		>
			<Field label={t.current} name="password" type="password" autoComplete="current-password" required />
			<Field label={t.anyCode} name="code" autoComplete="one-time-code" minLength={6} maxLength={14} required />
		</ConfirmDialog>
	);
}
