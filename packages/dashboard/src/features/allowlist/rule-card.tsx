import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { classes } from "../../lib/classes.ts";
import { asFailure, type Failure } from "../../lib/failure.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Check } from "../../ui/field/field.tsx";
import { State } from "../../ui/items/items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { failureText } from "../../ui/page/failure-text.ts";
import { usePlanHas } from "../settings/index.ts";
import { meQuery, useSite } from "../site/index.ts";
import styles from "./allowlist.module.css";
import { t } from "./texts.ts";
import { currentQuery, type Settings, settingsQuery, usePatterns, useSettings } from "./use-allowlist.ts";

/** Whether the allowlist is enabled, and its effect on the user. */
export function RuleCard() {
	const site = useSite();
	const settings = useQuery(settingsQuery(site.id));
	const state = settings.data?.is_enabled;
	return (
		<Card
			title={t.rule}
			actions={state !== undefined && <State text={state ? t.isOn : t.isOff} tone={state ? "good" : "muted"} />}
		>
			<div className={styles.form}>
				<OwnAddress />
				<Loaded query={settings}>{(data) => <Switches settings={data} />}</Loaded>
			</div>
		</Card>
	);
}

/** The user's own address is shown beside the switch, so that users do not lock themselves out. */
function OwnAddress() {
	const site = useSite();
	const current = useQuery(currentQuery(site.id));
	const { data: me } = useQuery(meQuery);
	const { add } = usePatterns(site.id);
	const isInPlan = usePlanHas("ip_allowlist");
	const uncovered = me?.role === "superadmin" ? t.superadmin : t.uncovered;
	return (
		<Loaded query={current}>
			{({ ip_address: address, matched_pattern: pattern }) => (
				<div className={classes(styles.own, pattern === null ? styles.warn : styles.good)} role="status">
					<p>
						{t.you(address)} {pattern === null ? uncovered : t.covered(pattern.pattern)}
					</p>
					{pattern === null && isInPlan && (
						<Button
							small
							disabled={add.isBusy}
							onClick={() => add.run({ pattern: address, pattern_type: "ip", label: t.mine })}
						>
							{t.addMine}
						</Button>
					)}
				</div>
			)}
		</Loaded>
	);
}

const rules = [
	["enforce_for_dashboard", t.sessions],
	["enforce_for_api_tokens", t.keys],
] as const;

function Switches({ settings }: { readonly settings: Settings }) {
	const site = useSite();
	const change = useSettings(site.id);
	const isInPlan = usePlanHas("ip_allowlist");
	const [failure, setFailure] = useState<Failure>();
	const set = async (part: Partial<Settings>) => {
		const { is_enabled, enforce_for_dashboard, enforce_for_api_tokens } = settings;
		setFailure(undefined);
		try {
			const to = { is_enabled, enforce_for_dashboard, enforce_for_api_tokens, ...part };
			await change.mutateAsync({ to, before: settings });
		} catch (error) {
			setFailure(asFailure(error));
		}
	};
	// Every plan may disable the list or loosen it.
	const isLocked = (isOn: boolean) => change.isBusy || (!isInPlan && !isOn);
	return (
		<div className={styles.switches}>
			<Check
				label={t.on}
				checked={settings.is_enabled}
				disabled={isLocked(settings.is_enabled)}
				onChange={(event) => void set({ is_enabled: event.target.checked })}
				error={failure && (failure.code === "conflict" ? t.shutOut : failureText(failure))}
			/>
			{rules.map(([name, label]) => (
				<Check
					key={name}
					label={label}
					checked={settings[name]}
					disabled={isLocked(settings[name])}
					onChange={(event) => void set({ [name]: event.target.checked })}
				/>
			))}
		</div>
	);
}
