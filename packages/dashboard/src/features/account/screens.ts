// One chunk for the browser: users who open one of these screens often open another.
export { AppsScreen } from "./apps-screen.tsx";
export { ProfileScreen } from "./profile-screen.tsx";
export { SecurityScreen } from "./security-screen.tsx";
export { TokensScreen } from "./tokens-screen.tsx";
