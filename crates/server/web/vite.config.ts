import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

// Names without hashes: the files are committed, and a list in assets.rs names them.
export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: '../assets',
    emptyOutDir: false,
    modulePreload: false,
    assetsInlineLimit: 0,
    rollupOptions: {
      output: {
        entryFileNames: 'app.js',
        assetFileNames: 'app.[ext]',
        codeSplitting: false,
      },
    },
  },
});
