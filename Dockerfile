# The second stage contains only what the bot needs to run, no build tools.
# The digest covers all platforms. For a newer one, run `docker buildx imagetools inspect
# python:3.12-slim` and change both FROM lines.
FROM python:3.12-slim@sha256:05cda9777409a9c3ffddd94a4c476b79f0769a0b4857f0c7ed9226b6800b0d6f AS build
WORKDIR /src
# Pin all dependencies and the build tools by hash; `make lock` updates both files.
COPY requirements.lock requirements-build.lock ./
RUN python -m venv /venv \
    && /venv/bin/pip install --no-cache-dir --require-hashes --only-binary=:all: -r requirements.lock \
    && pip install --no-cache-dir --require-hashes --only-binary=:all: -r requirements-build.lock
COPY pyproject.toml README.md LICENSE ./
COPY bot ./bot
COPY kontor ./kontor
COPY data ./data
RUN pip wheel --no-index --no-deps --no-build-isolation --wheel-dir /wheel . \
    && /venv/bin/pip install --no-cache-dir --no-index --no-deps /wheel/*.whl

FROM python:3.12-slim@sha256:05cda9777409a9c3ffddd94a4c476b79f0769a0b4857f0c7ed9226b6800b0d6f
RUN useradd --uid 10001 --no-create-home kontor && install -d -o kontor -g kontor /data
COPY --from=build /venv /venv
WORKDIR /app
USER kontor
ENV PATH=/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    MALLOC_ARENA_MAX=1 \
    DATABASE_URL=sqlite:////data/games.sqlite \
    BACKUP_FOLDER=/data/backups \
    LOG_FORMAT=json \
    HEALTH_HOST=0.0.0.0 \
    HEALTH_PORT=8090
VOLUME /data
EXPOSE 8090
# The bot retries Discord by itself: an unhealthy one needs attention, not a restart.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8090/healthz', timeout=4)"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["python", "-m", "bot"]
