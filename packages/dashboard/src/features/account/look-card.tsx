import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { chooseLanguage, language } from "../../lib/language.ts";
import { Card } from "../../ui/card/card.tsx";
import { Check, Select } from "../../ui/field/field.tsx";
import { useChange } from "../../ui/form/use-change.ts";
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
import styles from "./account.module.css";
import { t } from "./profile-texts.ts";

const weeks = ["monday", "sunday", "saturday"] as const;
const densities = ["comfortable", "compact"] as const;

interface Choice {
	readonly change: Partial<Preferences>;
	readonly before: Partial<Preferences>;
}

/** How pages look to the reader, in all browsers; each choice holds at once. */
export function LookCard() {
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
