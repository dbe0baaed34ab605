# Builds what runs, and nothing of what builds it.
# The digest is that of the image for all platforms. A newer one is what `docker buildx imagetools
# inspect python:3.12-slim` says; put it into both lines.
FROM python:3.12-slim@sha256:05cda9777409a9c3ffddd94a4c476b79f0769a0b4857f0c7ed9226b6800b0d6f AS build
WORKDIR /src
# All that is installed, and what builds the package, by its hash; `make lock` renews both files.
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
# It waits for Discord by itself: an unhealthy bot needs somebody to look, not another start.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8090/healthz', timeout=4)"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["python", "-m", "bot"]
