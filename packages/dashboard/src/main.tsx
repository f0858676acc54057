import "./ui/tokens.css";
import "./ui/base.css";
import "./ui/layout.css";
import { QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { sitesQuery } from "./features/site/queries.ts";
import { asFailure } from "./lib/failure.ts";
import { isAnswering } from "./lib/is-answering.ts";
import { makeRouter } from "./routes/router.tsx";
import { Toasts } from "./ui/toast/toast.tsx";

const queries: QueryClient = new QueryClient({
	queryCache: new QueryCache({
		// A refused request means a role has ended or an address is blocked, so the list of sites and other permissions
		// may be stale too.
		onError: (error, { queryKey: [route] }) => {
			if (asFailure(error).code === "forbidden" && route !== sitesQuery.queryKey[0])
				void queries.invalidateQueries({ queryKey: sitesQuery.queryKey });
		},
	}),
	defaultOptions: {
		queries: {
			staleTime: 30_000,
			gcTime: 600_000,
			// The server would refuse the same request again; only a broken connection is worth a second try.
			retry: (failures, error) => failures < 2 && ["offline", "service_unavailable"].includes(asFailure(error).code),
		},
	},
});

const container = document.getElementById("app");
if (container === null) throw new Error("No element for the application");
createRoot(container).render(
	<StrictMode>
		<QueryClientProvider client={queries}>
			<RouterProvider router={makeRouter(queries)} />
			<Toasts />
		</QueryClientProvider>
	</StrictMode>,
);

/** A part that is missing again so soon is not missing because of an update. */
const reloadEveryMs = 60_000;

// After an update of the server the old parts are gone: the page is loaded again, once. Where the service does not answer it would be lost.
addEventListener("vite:preloadError", async () => {
	if (Date.now() - Number(sessionStorage.getItem("reloaded")) < reloadEveryMs || !(await isAnswering())) return;
	sessionStorage.setItem("reloaded", String(Date.now()));
	location.reload();
});
