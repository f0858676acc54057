import { type Static, type TOptional, type TSchema, Type } from "typebox";
import { Nullable, OneOf, Text } from "../../../platform/http/schemas.ts";
import type { AuditDetails } from "../../auditing/audit-log/index.ts";
import { ChangedGoals, describeGoal, Goals, goalsToStore, readGoals } from "./goals.ts";
import { normalizeTimezone } from "./normalize.ts";
import type { SiteRow } from "./store.ts";

type AuditValue = AuditDetails[string];

interface Setting {
	readonly change: TSchema;
	readonly answer: TSchema;
	/** The column's value; throws for a value that the schema admits and the setting does not. */
	toColumn?(value: unknown): string | number | null;
	fromColumn?(column: unknown): unknown;
	/** The value in the audit log, where it is another one than in answers. */
	audited?(value: unknown): AuditValue;
}

/** Events that the script of a site can send without a call. */
const automaticEvents = ["outbound", "download", "form", "not_found", "scroll"] as const;
const AutomaticEvents = (options: { readonly uniqueItems?: true } = {}) =>
	Type.Array(OneOf([...automaticEvents]), {
		...options,
		description: "Events that the script sends without a call; browsers load a changed script within an hour",
	});

export const siteName = () => Text(1, 255);
export const timezone = { maxLength: 64, description: "IANA zone" } as const;
export const currency = { pattern: "^[A-Za-z]{3}$", description: "ISO 4217" } as const;

/** The settings of a site. A row is all that its routes, answers and audit entries need; `store.ts` writes its column. */
const settings = {
	name: { change: siteName(), answer: Type.String() },
	timezone: { change: Type.String(timezone), answer: Type.String(), toColumn: normalizeTimezone },
	currency: {
		change: Type.String(currency),
		answer: Type.String(),
		toColumn: (code: string) => code.toUpperCase(),
	},
	is_active: {
		change: Type.Boolean(),
		answer: Type.Boolean(),
		toColumn: (isActive) => (isActive ? 1 : 0),
		fromColumn: (column) => column === 1,
	},
	bot_threshold: { change: Type.Integer({ minimum: 1, maximum: 100 }), answer: Type.Integer() },
	automatic_events: {
		change: AutomaticEvents({ uniqueItems: true }),
		answer: AutomaticEvents(),
		toColumn: (events) => JSON.stringify(events),
		fromColumn: (column: string) => JSON.parse(column),
	},
	goals: {
		change: ChangedGoals,
		answer: Goals,
		toColumn: goalsToStore,
		fromColumn: readGoals,
		audited: (goals: Static<typeof Goals>) => goals.map(describeGoal),
	},
	data_retention_months: {
		change: Nullable(
			Type.Integer({
				minimum: 1,
				maximum: 1200,
				description:
					"Rows of older days are deleted; null = never. A shorter period needs the owner role and `confirm`, and takes effect after seven days; any other value withdraws it",
			}),
		),
		answer: Nullable(Type.Integer({ description: "Months for which data is kept; null = forever" })),
	},
} satisfies Partial<Record<keyof SiteRow, Setting>>;

type Settings = typeof settings;
type SettingName = keyof Settings;
export type SettingValues = { [Name in SettingName]: Static<Settings[Name]["answer"]> };
/** Settings to change; absent ones stay. */
export type SettingChanges = { readonly [Name in SettingName]?: Static<Settings[Name]["change"]> };

const eachSetting = <Result>(of: (setting: Setting, name: SettingName) => unknown) =>
	Object.fromEntries(
		Object.entries<Setting>(settings).flatMap(([name, setting]) => {
			const value = of(setting, name as SettingName);
			return value === undefined ? [] : [[name, value]];
		}),
	) as Result;

export const settingAnswers = eachSetting<{ [Name in SettingName]: Settings[Name]["answer"] }>(({ answer }) => answer);
export const settingChanges = eachSetting<{ [Name in SettingName]: TOptional<Settings[Name]["change"]> }>(
	({ change }) => Type.Optional(change),
);

export const settingsOf = (site: SiteRow) =>
	eachSetting<SettingValues>(({ fromColumn }, name) => (fromColumn ? fromColumn(site[name]) : site[name]));

export const auditedSettings = (site: SiteRow) => {
	const values = settingsOf(site);
	return {
		...eachSetting<Record<string, AuditValue>>(({ audited }, name) => audited?.(values[name]) ?? values[name]),
		retention_pending_months: site.retention_pending_months,
	};
};

/** Columns of the settings that change. Throws `invalid_timezone` and `validation_error`. */
export const settingColumns = (changes: SettingChanges) =>
	eachSetting<Partial<Pick<SiteRow, SettingName>>>(({ toColumn }, name) => {
		const value = changes[name];
		return value === undefined || toColumn === undefined ? value : toColumn(value);
	});
