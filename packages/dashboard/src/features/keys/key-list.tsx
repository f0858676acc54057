import { keepPreviousData, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call } from "../../api/client.ts";
import { read } from "../../api/read.ts";
import { ago, time } from "../../lib/format.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import { Check } from "../../ui/field/field.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import { Item, Items } from "../../ui/items/items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { sitesQuery } from "../site/index.ts";
import { t } from "./texts.ts";

type Key = Answer<"GET /api-tokens">["tokens"][number];

/** The user's API keys, with scopes and last use. */
export function KeyList() {
	const [withOld, setWithOld] = useState(false);
	const query = useQuery({
		...read("GET /api-tokens", { query: { include_inactive: withOld } }),
		placeholderData: keepPreviousData,
	});
	return (
		<Card title={t.list}>
			<Loaded query={query} isEmpty={({ tokens }) => tokens.length === 0 && !withOld} empty={<p>{t.none}</p>}>
				{({ tokens }) => (
					<Items label={t.list}>
						{tokens.map((key) => (
							<KeyItem key={key.id} apiKey={key} />
						))}
					</Items>
				)}
			</Loaded>
			<Check label={t.showOld} checked={withOld} onChange={({ target }) => setWithOld(target.checked)} />
		</Card>
	);
}

function KeyItem({ apiKey: key }: { readonly apiKey: Key }) {
	const { data } = useSuspenseQuery(sitesQuery);
	const [isAsking, setAsking] = useState(false);
	const revoke = useChange({
		run: () => call("DELETE /api-tokens/{token_id}", { path: { token_id: key.id } }),
		stale: ["GET /api-tokens"],
		done: () => t.revokedNow,
	});
	const names = key.account_ids.map((id) => data.sites.find((site) => site.id === id)?.name ?? id);
	const reach = key.all_sites ? t.ofAll : names.join(", ") || t.ofNone;
	const read = key.scopes.map((scope) => t.scopes[scope][0]?.toLocaleLowerCase()).join(", ");
	const facts = [
		`${key.token_prefix}…`,
		t.reads(read, reach),
		key.last_used_at === null ? t.unused : t.used(ago(key.last_used_at)),
		key.expires_at === null ? t.endless : t.until(time(key.expires_at)),
	];
	return (
		<Item
			title={key.name}
			facts={facts.join(" · ")}
			state={stateOf(key)}
			actions={
				key.is_active && (
					<Button small aria-label={t.revokeOf(key.name)} onClick={() => setAsking(true)}>
						{t.revoke}
					</Button>
				)
			}
		>
			{isAsking && (
				<ConfirmDialog
					title={t.revokeTitle(key.name)}
					goes={[t.revokeGoes]}
					stays={[t.revokeStays]}
					action={t.revoke}
					onConfirm={() => revoke.mutateAsync(undefined)}
					onClose={() => setAsking(false)}
				/>
			)}
		</Item>
	);
}

function stateOf({ is_active: isActive, revoked_at: revokedAt, expires_at: expiresAt }: Key) {
	if (revokedAt !== null) return { text: t.revoked, tone: "muted" } as const;
	const isOver = !isActive || (expiresAt !== null && Date.parse(expiresAt) <= Date.now());
	return isOver ? ({ text: t.over, tone: "warn" } as const) : ({ text: t.active, tone: "good" } as const);
}
