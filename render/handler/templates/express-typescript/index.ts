import { serve } from "./adapter";
import { app } from "./app";

// What is called for every request: it hands the event to the Express app of
// app.ts and turns the app's response into the result that is returned.
export const handler = serve(app);
