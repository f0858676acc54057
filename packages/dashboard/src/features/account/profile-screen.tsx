import { queryOptions, useQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { Check as CheckIcon, Hourglass } from "lucide-react";
import { useState } from "react";
import { type Answer, call } from "../../api/client.ts";
import { read } from "../../api/read.ts";
import { endSession } from "../../api/session.ts";
import { time } from "../../lib/format.ts";
import { chooseLanguage, language } from "../../lib/language.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import { Check, Field, Select } from "../../ui/field/field.tsx";
import { Cancel, Form, Submit } from "../../ui/form/form.tsx";
import { saved, useChange } from "../../ui/form/use-change.ts";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import {
	chooseTheme,
	currentTheme,
	languages,
	type Preferences,
	preferencesQuery,
	type Theme,
	themes,
} from "../preferences/index.ts";
import { meQuery } from "../site/index.ts";
import styles from "./account.module.css";
import { AccountFrame } from "./account-frame.tsx";
import { t } from "./profile-texts.ts";

/** Name, address and appearance of the user. */
export const ProfileScreen = () => (
	<AccountFrame title={t.title}>
		<NameCard />
		<AddressCard />
		<LookCard />
		<CloseCard />
	</AccountFrame>
);

function NameCard() {
	const { data: me } = useSuspenseQuery(meQuery);
	const rename = useChange({
		run: ({ name }: { name: string; before: string }) => call("PATCH /users/me", { body: { name } }),
		stale: ["GET /auth/me"],
		done: saved,
		undo: (_, { before }) => call("PATCH /users/me", { body: { name: before } }),
	});
	const form = useForm((values) => rename.mutateAsync({ name: textOf(values, "name"), before: me.name }), {
		draft: "name",
	});
	return (
		<Card title={t.who}>
			<Form form={form} className={styles.form}>
				<Field
					key={me.name}
					label={t.name}
					hint={t.nameHint}
					name="name"
					defaultValue={me.name}
					autoComplete="name"
					maxLength={255}
					required
				/>
				<div className="row-centered">
					<Submit />
				</div>
			</Form>
		</Card>
	);
}

/** The way out for good. */
function CloseCard() {
	const [isOpen, setOpen] = useState(false);
	return (
		<Card title={t.close}>
			<div className={styles.stack}>
				<p className={styles.muted}>{t.closeText}</p>
				<Button look="danger" onClick={() => setOpen(true)}>
					{t.close}
				</Button>
			</div>
			{isOpen && <CloseDialog onClose={() => setOpen(false)} />}
		</Card>
	);
}

function CloseDialog({ onClose }: { readonly onClose: () => void }) {
	const { data: me } = useSuspenseQuery(meQuery);
	const { data } = useQuery(read("GET /organizations"));
	const alone = (data?.organizations ?? []).filter((one) => one.user_role === "owner" && one.member_count === 1);
	const close = async (values: FormData) => {
		const code = textOf(values, "code").trim();
		await call("DELETE /users/me", { body: { password: textOf(values, "password"), ...(code !== "" && { code }) } });
		endSession();
	};
	return (
		<ConfirmDialog
			title={t.close}
			goes={[
				t.goes,
				t.goesApps,
				...(alone.length > 0 ? [t.goesOrganizations(alone.map(({ name }) => name).join(", "))] : []),
			]}
			stays={[t.stays, t.staysLog]}
			name={me.email}
			action={t.close}
			onConfirm={close}
			onClose={onClose}
		>
			<Field label={t.password} name="password" type="password" autoComplete="current-password" required />
			{me.two_factor_enabled && (
				<Field label={t.code} name="code" autoComplete="one-time-code" minLength={6} maxLength={14} required />
			)}
		</ConfirmDialog>
	);
}

const weeks = ["monday", "sunday", "saturday"] as const;
const densities = ["comfortable", "compact"] as const;

interface Choice {
	readonly change: Partial<Preferences>;
	readonly before: Partial<Preferences>;
}

/** How pages look to the reader, in all browsers; each choice holds at once. */
function LookCard() {
	const query = useQuery(preferencesQuery);
	return (
		<Card title={t.look}>
			<Loaded query={query}>{(preferences) => <Choices preferences={preferences} />}</Loaded>
		</Card>
	);
}

function Choices({ preferences }: { readonly preferences: Preferences }) {
	const [theme, setTheme] = useState(currentTheme);
	const show = ({ theme: wanted }: Partial<Preferences>) => {
		if (wanted === undefined) return;
		chooseTheme(wanted);
		setTheme(wanted);
	};
	const keep = useChange({
		run: ({ change }: Choice) => call("PATCH /users/me/preferences", { body: change }),
		stale: ["GET /users/me/preferences"],
		done: () => t.changed,
		undo: (_, { before }) => {
			show(before);
			return call("PATCH /users/me/preferences", { body: before });
		},
	});
	const choose = <Key extends keyof Preferences>(key: Key, value: Preferences[Key], before = preferences[key]) =>
		keep.run({ change: { [key]: value }, before: { [key]: before } });
	const chooseLook = (wanted: Theme) => {
		const before = theme;
		show({ theme: wanted });
		choose("theme", wanted, before);
	};
	return (
		<div className={styles.form}>
			<Select label={t.theme} value={theme} onChange={({ target }) => chooseLook(oneOf(themes, target.value))}>
				{options(themes, t.themes)}
			</Select>
			<LanguageChoice />
			<Select
				label={t.density}
				value={preferences.density}
				onChange={({ target }) => choose("density", oneOf(densities, target.value))}
			>
				{options(densities, t.densities)}
			</Select>
			<Select
				label={t.week}
				hint={t.weekHint}
				value={preferences.week_start}
				onChange={({ target }) => choose("week_start", oneOf(weeks, target.value))}
			>
				{options(weeks, t.weeks)}
			</Select>
			<Check
				label={t.shortcuts}
				hint={t.shortcutsHint}
				checked={preferences.shortcuts}
				onChange={({ target }) => choose("shortcuts", target.checked)}
			/>
		</div>
	);
}

function LanguageChoice() {
	const keep = useChange({
		run: (wanted: "en" | "es") => call("PATCH /users/me/preferences", { body: { language: wanted } }),
		stale: [],
	});
	// The cookie is what this browser goes by: the page comes in the new language also where keeping it elsewhere failed.
	const speak = (wanted: "en" | "es") =>
		void keep
			.mutateAsync(wanted)
			.catch(() => undefined)
			.then(() => chooseLanguage(wanted));
	return (
		<Select
			label={t.language}
			hint={t.languageHint}
			value={language}
			onChange={({ target }) => speak(target.value === "es" ? "es" : "en")}
		>
			{languages.map(([code, name]) => (
				<option key={code} value={code} lang={code}>
					{name}
				</option>
			))}
		</Select>
	);
}

const oneOf = <Value extends string>(values: readonly [Value, ...Value[]], text: string): Value =>
	values.find((value) => value === text) ?? values[0];

const options = <Value extends string>(values: readonly Value[], names: Readonly<Record<Value, string>>) =>
	values.map((value) => (
		<option key={value} value={value}>
			{names[value]}
		</option>
	));

type Address = Answer<"GET /users/me/email">;

/** Links are opened elsewhere: while one waits, the screen looks again after so long. */
const lookAgainMs = 5_000;

/** The address of the reader, and its change, which both addresses confirm by mail. */
function AddressCard() {
	const query = useAddress();
	const [isOpen, setOpen] = useState(false);
	return (
		<Card title={t.address}>
			<Loaded query={query}>
				{({ email, pending_change: pending }) => (
					<div className={styles.stack}>
						<p className={styles.address}>{email}</p>
						<p className={styles.muted}>{t.addressText}</p>
						{pending !== null ? (
							<Waiting email={email} pending={pending} />
						) : isOpen ? (
							<ChangeForm close={() => setOpen(false)} />
						) : (
							<Button onClick={() => setOpen(true)}>{t.change}</Button>
						)}
					</div>
				)}
			</Loaded>
		</Card>
	);
}

function useAddress() {
	const queries = useQueryClient();
	return useQuery(
		queryOptions({
			queryKey: ["GET /users/me/email"],
			queryFn: async ({ signal }) => {
				const address = await call("GET /users/me/email", { signal });
				queries.setQueryData(meQuery.queryKey, (me) => me && { ...me, email: address.email });
				return address;
			},
			refetchInterval: ({ state }) => (state.data?.pending_change ? lookAgainMs : false),
		}),
	);
}

function ChangeForm({ close }: { readonly close: () => void }) {
	const change = useChange({
		run: (body: { new_email: string; password: string }) => call("POST /users/me/email", { body }),
		stale: ["GET /users/me/email"],
		done: () => t.asked,
	});
	const form = useForm(
		async (values) => {
			await change.mutateAsync({ new_email: textOf(values, "new_email"), password: textOf(values, "password") });
			close();
		},
		{ draft: "address" },
	);
	return (
		<Form form={form} className={styles.form}>
			<Field
				label={t.newAddress}
				hint={t.askText}
				name="new_email"
				type="email"
				autoComplete="email"
				maxLength={254}
				required
				autoFocus
			/>
			<Field
				label={t.password}
				hint={t.passwordHint}
				name="password"
				type="password"
				autoComplete="current-password"
				required
			/>
			<div className="row-centered">
				<Submit>{t.ask}</Submit>
				<Cancel onClick={close} />
			</div>
		</Form>
	);
}

interface WaitingProps {
	readonly email: string;
	readonly pending: NonNullable<Address["pending_change"]>;
}

function Waiting({ email, pending }: WaitingProps) {
	const withdraw = useChange({
		run: () => call("DELETE /users/me/email"),
		stale: ["GET /users/me/email"],
		done: () => t.withdrawn,
	});
	return (
		<>
			<h3>{t.waits(pending.new_email)}</h3>
			<ul className={styles.steps}>
				<Confirmation address={email} isDone={pending.is_confirmed_by_current} />
				<Confirmation address={pending.new_email} isDone={pending.is_confirmed_by_new} />
			</ul>
			<p className={styles.muted}>{t.until(time(pending.expires_at))}</p>
			<Button disabled={withdraw.isBusy} onClick={() => withdraw.run(undefined)}>
				{t.withdraw}
			</Button>
		</>
	);
}

const Confirmation = ({ address, isDone }: { readonly address: string; readonly isDone: boolean }) => (
	<li className={isDone ? "good" : undefined}>
		{isDone ? <CheckIcon size={16} aria-hidden="true" /> : <Hourglass size={16} aria-hidden="true" />}
		{isDone ? t.confirmed(address) : t.unconfirmed(address)}
	</li>
);
