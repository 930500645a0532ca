import { defineConfig } from "vite";

// Names without hashes: CMake embeds these files into the program under them.
const names = { entryFileNames: "app.js", chunkFileNames: "[name].js", assetFileNames: "app[extname]" };

export default defineConfig({
  base: "./",
  build: { target: "es2020", assetsDir: "", modulePreload: false, chunkSizeWarningLimit: 2000, rollupOptions: { output: names } },
  worker: { format: "es", rollupOptions: { output: { entryFileNames: "worker.js" } } },
  test: { include: ["test/*.test.js"] },
});
