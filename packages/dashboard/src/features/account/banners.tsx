import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { boot } from "../../api/boot.ts";
import { call } from "../../api/client.ts";
import { read } from "../../api/read.ts";
import { asFailure } from "../../lib/failure.ts";
import { clock } from "../../lib/format.ts";
import { texts } from "../../lib/language.ts";
import { Button } from "../../ui/button/button.tsx";
import { toast } from "../../ui/toast/toast.tsx";
import { actingQuery } from "../site/index.ts";
import styles from "./banners.module.css";

/** Texts of the banners above the screens: impersonation and new versions. */
const t = texts({
	en: {
		acting: (name: string) => `Impersonating ${name}`,
		actingUntil: (time: string) => `until ${time} at the latest`,
		stop: "Stop",
		newVersion: "A new version is available.",
		reload: "Reload",
	},
	es: {
		acting: (name: string) => `Actúas como ${name}`,
		actingUntil: (time: string) => `como mucho hasta las ${time}`,
		stop: "Terminar",
		newVersion: "Hay una versión nueva.",
		reload: "Recargar",
	},
});

const versionEveryMs = 600_000;
/** An impersonation lasts no longer. */
const hourMs = 3_600_000;

/** Banners that concern all screens: impersonation, a new version. */
export function Banners() {
	useNewVersion();
	return <ActingBanner />;
}

function ActingBanner() {
	const { data } = useQuery(actingQuery);
	const [isBusy, setIsBusy] = useState(false);
	if (!data?.is_impersonating) return null;
	const stop = async () => {
		setIsBusy(true);
		try {
			await call("DELETE /admin/impersonate-user");
			// Nothing of what that user sees may stay in memory.
			location.assign("/");
		} catch (error) {
			setIsBusy(false);
			toast(asFailure(error).message);
		}
	};
	const end = data.started_at === undefined ? undefined : new Date(Date.parse(data.started_at) + hourMs);
	return (
		<div role="status" className={`${styles.banner} ${styles.acting}`}>
			<p>
				<strong>{t.acting(data.impersonated_email ?? "")}</strong> {end && t.actingUntil(clock(end))}
			</p>
			<Button small disabled={isBusy} onClick={() => void stop()}>
				{t.stop}
			</Button>
		</div>
	);
}

/** Says once that the server has been updated under the page. */
function useNewVersion(): void {
	const { data } = useQuery({ ...read("GET /config"), staleTime: versionEveryMs, refetchInterval: versionEveryMs });
	const isNew = data !== undefined && boot.version !== undefined && data.version !== boot.version;
	// A toast is outside of this component.
	useEffect(() => {
		if (isNew) toast(t.newVersion, { label: t.reload, run: () => location.reload() });
	}, [isNew]);
}
