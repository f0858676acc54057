import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call } from "../../api/client.ts";
import { read } from "../../api/read.ts";
import { copy } from "../../lib/clipboard.ts";
import { time } from "../../lib/format.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Cancel, Form, Submit } from "../../ui/form/form.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { Secret } from "../../ui/secret/secret.tsx";
import { toast } from "../../ui/toast/toast.tsx";
import styles from "./account.module.css";
import { t } from "./security-texts.ts";

/** From so few on it is time for new ones. */
const few = 3;

/** The second step of signing in: off, being set up, or on. */
export function SecondFactorCard() {
	const queries = useQueryClient();
	const query = useQuery(read("GET /2fa/status"));
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
				<strong className="good">{t.on}</strong> {status.enabled_at !== null && t.onSince(time(status.enabled_at))}{" "}
				{t.codesLeft(left)} {left <= few && t.fewLeft}
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
				<div className="row-centered">
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

interface BackupCodesProps {
	readonly codes: readonly string[];
	/** They are gone from the screen then, and from everywhere but where the reader put them. */
	readonly onKept: () => void;
}

/** Ten codes that are shown this once. */
function BackupCodes({ codes, onKept }: BackupCodesProps) {
	const [isCopied, setCopied] = useState(false);
	return (
		<div className={styles.stack}>
			<h3>{t.codes}</h3>
			<p className={styles.muted}>{t.codesText}</p>
			<ul className={styles.codes} aria-label={t.codes}>
				{codes.map((code) => (
					<li key={code}>{code}</li>
				))}
			</ul>
			<div className="row-centered">
				<Button onClick={() => void copy(codes.join("\n")).then(() => setCopied(true))}>
					<span role="status">{isCopied ? t.copied : t.copy}</span>
				</Button>
				<Button onClick={() => print()}>{t.print}</Button>
				<Button look="primary" onClick={onKept}>
					{t.kept}
				</Button>
			</div>
		</div>
	);
}

interface NewCodesFormProps {
	readonly onCancel: () => void;
	readonly onDone: (codes: readonly string[]) => void;
}

/** Ten other backup codes, for a code of the app. */
function NewCodesForm({ onCancel, onDone }: NewCodesFormProps) {
	const form = useForm(async (values) => {
		const code = textOf(values, "code").replaceAll(/\s/g, "");
		const { backup_codes: codes } = await call("POST /2fa/backup-codes/regenerate", { body: { code } });
		onDone(codes);
	});
	return (
		<Form form={form} className={styles.form} intro={<p className={styles.muted}>{t.anewText}</p>}>
			<CodeField />
			<div className="row-centered">
				<Submit>{t.anew}</Submit>
				<Cancel onClick={onCancel} />
			</div>
		</Form>
	);
}

interface SetupProps {
	readonly onCancel: () => void;
	/** The backup codes, shown this once. */
	readonly onDone: (codes: readonly string[]) => void;
}

/** Two steps: the password, then a first code of the app that was given the secret. */
function SecondFactorSetup({ onCancel, onDone }: SetupProps) {
	const [setup, setSetup] = useState<Answer<"POST /2fa/setup">>();
	const cancel = () => {
		// An abandoned setup expires by itself after ten minutes.
		if (setup !== undefined) void call("POST /2fa/setup/cancel").catch(() => undefined);
		onCancel();
	};
	return setup === undefined ? (
		<PasswordStep onCancel={cancel} onDone={setSetup} />
	) : (
		<CodeStep setup={setup} onCancel={cancel} onDone={onDone} />
	);
}

interface PasswordStepProps {
	readonly onCancel: () => void;
	readonly onDone: (setup: Answer<"POST /2fa/setup">) => void;
}

function PasswordStep({ onCancel, onDone }: PasswordStepProps) {
	const form = useForm(async (values) =>
		onDone(await call("POST /2fa/setup", { body: { password: textOf(values, "password") } })),
	);
	return (
		<Form form={form} className={styles.form}>
			<Field label={t.current} name="password" type="password" autoComplete="current-password" required autoFocus />
			<div className="row-centered">
				<Submit>{t.go}</Submit>
				<Cancel onClick={onCancel} />
			</div>
		</Form>
	);
}

const ScanText = () => (
	<>
		<h3>{t.scan}</h3>
		<p className={styles.muted}>{t.scanText}</p>
	</>
);

interface CodeStepProps extends SetupProps {
	readonly setup: Answer<"POST /2fa/setup">;
}

function CodeStep({ setup, onCancel, onDone }: CodeStepProps) {
	const form = useForm(async (values) => {
		const code = textOf(values, "code").replaceAll(/\s/g, "");
		const { backup_codes: codes } = await call("POST /2fa/verify", { body: { code } });
		onDone(codes);
	});
	return (
		<div className={styles.setup}>
			<img className={styles.qr} src={setup.qr_code_data_url} alt={t.qr} width={196} height={196} />
			<Form form={form} className={styles.form} intro={<ScanText />}>
				<Secret label={t.secret} value={setup.secret} isShownOnce={false} />
				<CodeField />
				<div className="row-centered">
					<Submit>{t.check}</Submit>
					<Cancel onClick={onCancel} />
				</div>
			</Form>
		</div>
	);
}

/** Asks for the code that the app shows now. */
const CodeField = () => (
	<Field
		label={t.code}
		hint={t.codeHint}
		name="code"
		inputMode="numeric"
		autoComplete="one-time-code"
		minLength={6}
		maxLength={8}
		required
		autoFocus
	/>
);
