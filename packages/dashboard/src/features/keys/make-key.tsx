import { useState } from "react";
import type { Answer } from "../../api/client.ts";
import { AddButton } from "../../ui/button/add-button.tsx";
import { Button } from "../../ui/button/button.tsx";
import { Secret } from "../../ui/secret/secret.tsx";
import { firstCall } from "./first-call.ts";
import { KeyForm } from "./key-form.tsx";
import styles from "./keys.module.css";
import { t } from "./texts.ts";

type Made = Answer<"POST /api-tokens">;

/** A new key in three clicks: the form comes filled in, the value is shown once, with a call that works. */
export function MakeKey() {
	const [open, setOpen] = useState<"form" | Made>();
	if (open === undefined) {
		return <AddButton onClick={() => setOpen("form")}>{t.add}</AddButton>;
	}
	const close = () => setOpen(undefined);
	return open === "form" ? <KeyForm onMade={setOpen} onCancel={close} /> : <MadeKey made={open} onDone={close} />;
}

function MadeKey({ made, onDone }: { readonly made: Made; readonly onDone: () => void }) {
	return (
		<div className={styles.made}>
			<h3>{t.made(made.name)}</h3>
			<Secret label={t.key} value={made.token} />
			<Secret label={t.curl} value={firstCall(made.scopes, made.account_ids[0], made.token)} isShownOnce={false} />
			<Button onClick={onDone}>{t.done}</Button>
		</div>
	);
}
