import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState, useSyncExternalStore } from "react";
import { boot } from "../../api/boot.ts";
import { call } from "../../api/client.ts";
import { noteShared, onShared, sharedReport } from "../../api/shared.ts";
import { asFailure, type Failure } from "../../lib/failure.ts";
import { Button } from "../../ui/button/button.tsx";
import { failureText } from "../../ui/page/failure-text.ts";
import { Notice } from "../../ui/page/notice.tsx";
import { PasswordForm } from "./password-form.tsx";
import styles from "./shared.module.css";
import { SharedFrame } from "./shared-frame.tsx";
import { t } from "./texts.ts";

/** The page of a shared link: its password where it has one, then the report as far as it shows it. */
export function SharedScreen() {
	const { token } = useParams({ strict: false }) as { readonly token: string };
	const report = useSyncExternalStore(onShared, sharedReport);
	return report === undefined ? <Door token={token} /> : <SharedFrame report={report} />;
}

/** Opens a link, which asks for its password or says that it is shut. */
function Door({ token }: { readonly token: string }) {
	const queries = useQueryClient();
	const [refusal, setRefusal] = useState<Failure>();
	const enter = async (password?: string) => {
		const report = await call("POST /share/{token}/session", {
			path: { token },
			body: password === undefined ? {} : { password },
		});
		// Repeats the queries that the previous bearer was refused.
		queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== opening });
		noteShared(report);
		return null;
	};
	/** A wrong password is shown in its form; a broken link replaces the form. */
	const unlock = async (password: string) => {
		try {
			await enter(password);
		} catch (error) {
			const failure = asFailure(error);
			if (!isOfLink(failure)) throw failure;
			setRefusal(failure);
		}
	};
	const query = useQuery({
		queryKey: [opening, token],
		queryFn: () => enter(),
		enabled: known === "open",
		gcTime: 0,
		refetchOnWindowFocus: false,
	});
	if (refusal !== undefined) return <Shut failure={refusal} onAgain={() => setRefusal(undefined)} />;
	if (known === "locked") return <PasswordForm onEnter={unlock} />;
	if (known === "gone") return <Notice title={t.gone} text={t.goneText} />;
	if (query.error === null)
		return <main className={styles.opening} aria-busy="true" aria-label={t.opening} data-loading="" />;
	const failure = asFailure(query.error);
	if (failure.code === "unauthorized") return <PasswordForm onEnter={unlock} />;
	return <Shut failure={failure} onAgain={() => void query.refetch()} />;
}

/** State of the link from the page itself, so that no request has to fail first. */
const known = boot.share ?? "open";
const opening = "POST /share/{token}/session";

const isOfLink = ({ code }: Failure): boolean => code === "not_found" || code === "forbidden";

function Shut({ failure, onAgain }: { readonly failure: Failure; readonly onAgain: () => void }) {
	// An address that was cut off on its way is no link either.
	if (failure.code === "not_found" || failure.code === "validation_error")
		return <Notice title={t.gone} text={t.goneText} />;
	if (failure.code === "forbidden") return <Notice title={t.shut} text={t.shutText} />;
	return (
		<Notice title={t.failed} text={failureText(failure)}>
			<Button onClick={onAgain}>{t.again}</Button>
		</Notice>
	);
}
